//! Angular: components, directives, pipes and services, by their decorators.

use strata_lang::Framework;
use strata_lang::framework::{Fingerprint, Handed, Members, Registration};

const fn tag(decorator: &'static str, tags: &'static [&'static str]) -> Fingerprint {
    Fingerprint {
        decorator,
        tags,
        verb: None,
    }
}

pub(super) static ANGULAR: Framework = Framework {
    name: "angular",
    packages: &["npm:@angular/core"],
    registrations: &[
        Registration {
            by: Members {
                on: &[""],
                names: &[
                    "Component",
                    "Directive",
                    "HostListener",
                    "Injectable",
                    "NgModule",
                    "Pipe",
                ],
            },
            what: Handed::Decorated,
        },
        Registration {
            by: Members {
                on: &[""],
                names: &["Component", "Directive", "NgModule"],
            },
            what: Handed::Properties(&["bootstrap", "declarations", "imports", "providers"]),
        },
    ],
    fingerprints: &[
        tag("Component", &["ui-component"]),
        tag("Directive", &["directive"]),
        tag("Pipe", &["pipe"]),
        tag("NgModule", &["module"]),
        tag("Injectable", &["service"]),
        tag("Input", &["input-binding"]),
        tag("Output", &["output-binding"]),
        tag("HostBinding", &["host-binding"]),
    ],
    ..Framework::EMPTY
};
