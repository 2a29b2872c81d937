//! Frameworks of Python, a file each. The order decides between tags that two of them give to one decorator.

mod celery;
mod django;
mod fastapi;
mod flask;
mod pytest;

use strata_lang::Framework;

/// Every framework.
pub(super) static ALL: &[&Framework] = &[
    &flask::FLASK,
    &fastapi::FASTAPI,
    &django::DJANGO,
    &celery::CELERY,
    &pytest::PYTEST,
];
