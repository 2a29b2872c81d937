//! Frameworks of TypeScript and JavaScript, a file each. The order decides between tags that two of them give to one
//! decorator.

mod angular;
mod express;
mod nestjs;
mod nextjs;

use strata_lang::Framework;

/// Every framework.
pub(super) static ALL: &[&Framework] = &[&nestjs::NESTJS, &angular::ANGULAR, &express::EXPRESS, &nextjs::NEXTJS];
