//! Django: URL configurations, signals, the admin, template tags, and the managers of models.

use strata_lang::Framework;
use strata_lang::framework::{Fingerprint, Handed, Members, Registration};

const fn tag(decorator: &'static str, tags: &'static [&'static str]) -> Fingerprint {
    Fingerprint {
        decorator,
        tags,
        verb: None,
    }
}

const fn handed(on: &'static [&'static str], names: &'static [&'static str], what: Handed) -> Registration {
    Registration {
        by: Members { on, names },
        what,
    }
}

pub(super) static DJANGO: Framework = Framework {
    name: "django",
    packages: &["pypi:django"],
    registrations: &[
        handed(
            &["urls", "conf"],
            &["path", "re_path", "url"],
            Handed::Argument(1, "view"),
        ),
        handed(&["urls", "conf"], &["include"], Handed::Module(0)),
        handed(&["dispatch"], &["receiver"], Handed::Decorated),
        handed(
            &[
                "Signal",
                "class_prepared",
                "got_request_exception",
                "m2m_changed",
                "post_delete",
                "post_init",
                "post_migrate",
                "post_save",
                "pre_delete",
                "pre_init",
                "pre_migrate",
                "pre_save",
                "request_finished",
                "request_started",
                "setting_changed",
                "user_logged_in",
                "user_logged_out",
                "user_login_failed",
            ],
            &["connect"],
            Handed::Argument(0, "receiver"),
        ),
        handed(
            &["admin", "decorators"],
            &["register", "action", "display"],
            Handed::Decorated,
        ),
        handed(&["site", "AdminSite"], &["register"], Handed::From(0)),
        handed(
            &["Library"],
            &["filter", "inclusion_tag", "simple_block_tag", "simple_tag", "tag"],
            Handed::Decorated,
        ),
        handed(&["Library"], &["filter", "simple_tag", "tag"], Handed::From(0)),
        handed(&["checks", "registry"], &["register"], Handed::Decorated),
    ],
    makers: &["as_view"],
    fingerprints: &[
        tag("login_required", &["auth"]),
        tag("permission_required", &["auth"]),
        tag("user_passes_test", &["auth"]),
        tag("receiver", &["signal-handler"]),
        tag("admin.register", &["admin"]),
        tag("register.filter", &["template-tag"]),
        tag("register.inclusion_tag", &["template-tag"]),
        tag("register.simple_tag", &["template-tag"]),
        tag("register.tag", &["template-tag"]),
    ],
    ..Framework::EMPTY
};
