//! Flask: routes and hooks of applications and blueprints.

use strata_lang::Framework;
use strata_lang::framework::{Fingerprint, Handed, Members, Registration, Verb};

const APPLICATIONS: &[&str] = &["Flask", "Blueprint", "App", "Scaffold"];

/// Hooks that take one function, as a decorator or in a call.
const HOOKS: &[&str] = &[
    "after_app_request",
    "after_request",
    "app_context_processor",
    "app_url_defaults",
    "app_url_value_preprocessor",
    "before_app_request",
    "before_first_request",
    "before_request",
    "context_processor",
    "record",
    "record_once",
    "shell_context_processor",
    "teardown_app_request",
    "teardown_appcontext",
    "teardown_request",
    "url_defaults",
    "url_value_preprocessor",
];

pub(super) static FLASK: Framework = Framework {
    name: "flask",
    packages: &["pypi:flask"],
    registrations: &[
        Registration {
            by: Members {
                on: APPLICATIONS,
                names: &[
                    "app_errorhandler",
                    "app_template_filter",
                    "app_template_global",
                    "app_template_test",
                    "delete",
                    "endpoint",
                    "errorhandler",
                    "get",
                    "patch",
                    "post",
                    "put",
                    "route",
                    "template_filter",
                    "template_global",
                    "template_test",
                ],
            },
            what: Handed::Decorated,
        },
        Registration {
            by: Members {
                on: APPLICATIONS,
                names: HOOKS,
            },
            what: Handed::Decorated,
        },
        Registration {
            by: Members {
                on: APPLICATIONS,
                names: HOOKS,
            },
            what: Handed::Argument(0, "f"),
        },
        Registration {
            by: Members {
                on: &["cli", "AppGroup"],
                names: &["command"],
            },
            what: Handed::Decorated,
        },
        Registration {
            by: Members {
                on: APPLICATIONS,
                names: &["add_url_rule"],
            },
            what: Handed::Argument(2, "view_func"),
        },
        Registration {
            by: Members {
                on: APPLICATIONS,
                names: &["register_error_handler"],
            },
            what: Handed::Argument(1, "f"),
        },
        Registration {
            by: Members {
                on: APPLICATIONS,
                names: &["register_blueprint"],
            },
            what: Handed::Argument(0, "blueprint"),
        },
        Registration {
            by: Members {
                on: APPLICATIONS,
                names: &["add_template_filter", "add_template_global", "add_template_test"],
            },
            what: Handed::Argument(0, "f"),
        },
    ],
    fingerprints: &[
        Fingerprint {
            decorator: "app.route",
            tags: &["http-endpoint"],
            verb: Some(Verb::Listed),
        },
        Fingerprint {
            decorator: "blueprint.route",
            tags: &["http-endpoint", "blueprint"],
            verb: Some(Verb::Listed),
        },
        Fingerprint {
            decorator: "bp.route",
            tags: &["http-endpoint", "blueprint"],
            verb: Some(Verb::Listed),
        },
        Fingerprint {
            decorator: "login_required",
            tags: &["auth"],
            verb: None,
        },
        Fingerprint {
            decorator: "before_request",
            tags: &["middleware"],
            verb: None,
        },
    ],
    ..Framework::EMPTY
};
