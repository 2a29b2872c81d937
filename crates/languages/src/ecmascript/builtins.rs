//! Names that are there without an import.

use strata_model::lines::has_line;

/// Modules of the language's surface that declare the globals: of the language, of browsers, of Node.js.
pub(crate) const BUILTIN_MODULES: &[&str] = &["globals", "globals/browser", "globals/node"];

/// Globals of ECMAScript, of browsers and of Node.js, values and types, one a line in byte order.
const GLOBALS: &str = include_str!("globals.txt");

/// What test runners put into the global scope of test files.
const TEST_GLOBALS: &[&str] = &[
    "after",
    "afterAll",
    "afterEach",
    "assert",
    "before",
    "beforeAll",
    "beforeEach",
    "bench",
    "chai",
    "context",
    "cy",
    "Cypress",
    "describe",
    "expect",
    "expectTypeOf",
    "fdescribe",
    "fit",
    "it",
    "jasmine",
    "jest",
    "setup",
    "sinon",
    "specify",
    "spyOn",
    "suite",
    "suiteSetup",
    "suiteTeardown",
    "teardown",
    "test",
    "vi",
    "vitest",
    "xdescribe",
    "xit",
    "xtest",
];

/// Modules that Node.js brings along; each has paths below it, such as `fs/promises`.
const NODE_MODULES: &[&str] = &[
    "assert",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "domain",
    "events",
    "fs",
    "http",
    "http2",
    "https",
    "inspector",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "repl",
    "stream",
    "string_decoder",
    "sys",
    "timers",
    "tls",
    "trace_events",
    "tty",
    "url",
    "util",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "zlib",
];

/// True for names that are always there. The platform's own JSX elements are written `<div>`.
pub(crate) fn is_builtin(name: &str) -> bool {
    has_line(GLOBALS, name) || TEST_GLOBALS.contains(&name) || (name.starts_with('<') && name.ends_with('>'))
}

/// True for a module of Node.js, written with or without the prefix `node:`.
pub(super) fn is_node_module(spec: &str) -> bool {
    if spec.starts_with("node:") {
        return true;
    }
    let first = spec.split('/').next().unwrap_or(spec);
    NODE_MODULES.contains(&first)
}

#[cfg(test)]
mod tests {
    use super::{GLOBALS, is_builtin, is_node_module};

    #[test]
    fn every_listed_global_is_found() {
        let names: Vec<&str> = GLOBALS.lines().collect();
        assert!(names.is_sorted());
        for name in names {
            assert!(is_builtin(name), "{name}");
        }
        assert!(!is_builtin(""));
        assert!(!is_builtin("Zzz"));
        assert!(!is_builtin("0"));
    }

    #[test]
    fn modules_of_the_runtime_are_known_with_and_without_prefix() {
        assert!(is_node_module("fs"));
        assert!(is_node_module("fs/promises"));
        assert!(is_node_module("node:sqlite"));
        assert!(!is_node_module("fs-extra"));
    }
}
