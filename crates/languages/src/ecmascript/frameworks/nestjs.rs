//! NestJS: controllers, providers and modules, by their decorators.

use strata_lang::Framework;
use strata_lang::framework::{Fingerprint, Handed, Members, Registration, Verb};

const fn tag(decorator: &'static str, tags: &'static [&'static str]) -> Fingerprint {
    Fingerprint {
        decorator,
        tags,
        verb: None,
    }
}

const fn endpoint(decorator: &'static str, verb: &'static str) -> Fingerprint {
    Fingerprint {
        decorator,
        tags: &["http-endpoint"],
        verb: Some(Verb::Is(verb)),
    }
}

const fn by(names: &'static [&'static str], what: Handed) -> Registration {
    Registration {
        by: Members { on: &[""], names },
        what,
    }
}

pub(super) static NESTJS: Framework = Framework {
    name: "nestjs",
    packages: &[
        "npm:@nestjs/common",
        "npm:@nestjs/graphql",
        "npm:@nestjs/microservices",
        "npm:@nestjs/schedule",
        "npm:@nestjs/websockets",
    ],
    registrations: &[
        by(
            &[
                "All",
                "Catch",
                "Controller",
                "Cron",
                "Delete",
                "EventPattern",
                "Get",
                "Head",
                "Injectable",
                "Interval",
                "MessagePattern",
                "Module",
                "Mutation",
                "Options",
                "Patch",
                "Post",
                "Put",
                "Query",
                "ResolveField",
                "Resolver",
                "Search",
                "Sse",
                "SubscribeMessage",
                "Subscription",
                "Timeout",
                "WebSocketGateway",
            ],
            Handed::Decorated,
        ),
        by(
            &["Module"],
            Handed::Properties(&["controllers", "imports", "providers"]),
        ),
        by(
            &["UseFilters", "UseGuards", "UseInterceptors", "UsePipes"],
            Handed::From(0),
        ),
    ],
    fingerprints: &[
        tag("Controller", &["http-controller"]),
        tag("Injectable", &["service"]),
        tag("Module", &["module"]),
        endpoint("Get", "get"),
        endpoint("Post", "post"),
        endpoint("Put", "put"),
        endpoint("Delete", "delete"),
        endpoint("Patch", "patch"),
        tag("Guard", &["guard"]),
        tag("UseGuards", &["guard"]),
        tag("Middleware", &["middleware"]),
        tag("Pipe", &["pipe"]),
        tag("UsePipes", &["pipe"]),
        tag("Interceptor", &["interceptor"]),
        tag("UseInterceptors", &["interceptor"]),
    ],
    ..Framework::EMPTY
};
