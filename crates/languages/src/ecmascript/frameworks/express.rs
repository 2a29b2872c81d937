//! Express: routes and middleware of applications and routers.

use strata_lang::Framework;
use strata_lang::framework::{Handed, Members, Registration};

pub(super) static EXPRESS: Framework = Framework {
    name: "express",
    packages: &["npm:express"],
    registrations: &[Registration {
        by: Members {
            // A chain goes on from a route: `app.route("/x").get(a).post(b)`.
            on: &[
                "()",
                "Application",
                "Express",
                "IRoute",
                "IRouter",
                "Router",
                "all",
                "delete",
                "get",
                "patch",
                "post",
                "put",
                "route",
            ],
            names: &[
                "all", "delete", "get", "head", "options", "param", "patch", "post", "put", "use",
            ],
        },
        what: Handed::From(0),
    }],
    ..Framework::EMPTY
};
