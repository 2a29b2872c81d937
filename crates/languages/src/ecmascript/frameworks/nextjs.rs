//! Next.js: what it finds by the place of a file.

use strata_lang::Framework;
use strata_lang::framework::{Entries, EntryPlace};

pub(super) static NEXTJS: Framework = Framework {
    name: "nextjs",
    packages: &["npm:next"],
    entries: Some(&Entries {
        marker_files: &["next.config.js", "next.config.mjs", "next.config.ts", "next.config.mts"],
        places: &[
            EntryPlace {
                folders: &["pages/api", "src/pages/api"],
                stems: &[],
                exports: &["default"],
                tags: &["http-endpoint"],
            },
            EntryPlace {
                folders: &["pages", "src/pages"],
                stems: &[],
                exports: &[
                    "default",
                    "getInitialProps",
                    "getServerSideProps",
                    "getStaticPaths",
                    "getStaticProps",
                ],
                tags: &["page"],
            },
            EntryPlace {
                folders: &["app", "src/app"],
                stems: &[
                    "default",
                    "error",
                    "global-error",
                    "layout",
                    "loading",
                    "not-found",
                    "page",
                    "template",
                ],
                exports: &[
                    "default",
                    "generateMetadata",
                    "generateStaticParams",
                    "generateViewport",
                ],
                tags: &["page"],
            },
            EntryPlace {
                folders: &["app", "src/app"],
                stems: &["route"],
                exports: &["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"],
                tags: &["http-endpoint"],
            },
            EntryPlace {
                folders: &["", "src"],
                stems: &["instrumentation", "middleware", "proxy"],
                exports: &["default", "middleware", "proxy", "register"],
                tags: &["middleware"],
            },
        ],
    }),
    ..Framework::EMPTY
};
