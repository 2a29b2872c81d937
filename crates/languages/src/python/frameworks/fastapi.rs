//! FastAPI: routes, dependencies and hooks of applications and routers.

use strata_lang::Framework;
use strata_lang::framework::{Fingerprint, Handed, Made, Members, Registration, Value, Verb};

const APPLICATIONS: &[&str] = &["FastAPI", "APIRouter"];

/// Functions that say what a parameter depends on.
const DEPENDENCIES: Members = Members {
    on: &["", "params", "param_functions"],
    names: &["Depends", "Security"],
};

const fn endpoint(decorator: &'static str, verb: &'static str) -> Fingerprint {
    Fingerprint {
        decorator,
        tags: &["http-endpoint"],
        verb: Some(Verb::Is(verb)),
    }
}

const fn handed(names: &'static [&'static str], what: Handed) -> Registration {
    Registration {
        by: Members {
            on: APPLICATIONS,
            names,
        },
        what,
    }
}

pub(super) static FASTAPI: Framework = Framework {
    name: "fastapi",
    packages: &["pypi:fastapi"],
    registrations: &[
        handed(
            &[
                "api_route",
                "delete",
                "exception_handler",
                "get",
                "head",
                "middleware",
                "on_event",
                "options",
                "patch",
                "post",
                "put",
                "route",
                "trace",
                "websocket",
                "websocket_route",
            ],
            Handed::Decorated,
        ),
        handed(
            &[
                "add_api_route",
                "add_api_websocket_route",
                "add_route",
                "add_websocket_route",
            ],
            Handed::Argument(1, "endpoint"),
        ),
        handed(&["add_event_handler"], Handed::Argument(1, "func")),
        handed(&["add_exception_handler"], Handed::Argument(1, "handler")),
        handed(&["add_middleware"], Handed::Argument(0, "middleware_class")),
        handed(&["include_router"], Handed::Argument(0, "router")),
        handed(&["mount"], Handed::Argument(1, "app")),
        Registration {
            by: DEPENDENCIES,
            what: Handed::Argument(0, "dependency"),
        },
    ],
    fingerprints: &[
        endpoint("app.get", "get"),
        endpoint("app.post", "post"),
        endpoint("app.put", "put"),
        endpoint("app.delete", "delete"),
        endpoint("router.get", "get"),
        endpoint("router.post", "post"),
        endpoint("router.put", "put"),
        endpoint("router.delete", "delete"),
        Fingerprint {
            decorator: "Depends",
            tags: &["dependency-injection"],
            verb: None,
        },
    ],
    values: &[Value {
        of: DEPENDENCIES,
        gives: Made::Injected,
    }],
    ..Framework::EMPTY
};
