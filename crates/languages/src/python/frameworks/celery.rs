//! Celery: tasks, and what calls them later.

use strata_lang::Framework;
use strata_lang::framework::{Fingerprint, Handed, Members, Registration};

/// Decorators that make a task of a function.
const TASKS: Members = Members {
    on: &["", "Celery", "app", "current_app", "base", "task"],
    names: &["periodic_task", "shared_task", "task"],
};

const fn task(decorator: &'static str) -> Fingerprint {
    Fingerprint {
        decorator,
        tags: &["task"],
        verb: None,
    }
}

pub(super) static CELERY: Framework = Framework {
    name: "celery",
    packages: &["pypi:celery"],
    registrations: &[
        Registration {
            by: TASKS,
            what: Handed::Decorated,
        },
        Registration {
            by: Members {
                on: &["Celery"],
                names: &["register_task"],
            },
            what: Handed::Argument(0, "task"),
        },
        Registration {
            by: Members {
                on: &[
                    "after_setup_logger",
                    "after_setup_task_logger",
                    "after_task_publish",
                    "before_task_publish",
                    "beat_init",
                    "celeryd_init",
                    "on_after_configure",
                    "on_after_finalize",
                    "setup_logging",
                    "task_failure",
                    "task_postrun",
                    "task_prerun",
                    "task_retry",
                    "task_revoked",
                    "task_success",
                    "worker_init",
                    "worker_process_init",
                    "worker_ready",
                    "worker_shutdown",
                ],
                names: &["connect"],
            },
            what: Handed::Decorated,
        },
    ],
    fingerprints: &[
        task("shared_task"),
        task("app.task"),
        task("celery.task"),
        task("celery_app.task"),
    ],
    ..Framework::EMPTY
};
