//! Whatever the history of edits, the index equals a fresh one.
//!
//! Files have a few versions each, which import, extend and call one another in ways that depend on which version is
//! there. Random edits switch versions or delete files, and after each the exports are compared with those of an index
//! that was built from nothing.

use std::sync::Arc;

use proptest::prelude::*;
use strata_index::IndexConfig;

use crate::project::Project;

/// A path and the versions of its file.
type Versions = (&'static str, &'static [&'static str]);

const PYTHON: &[Versions] = &[
    (
        "pyproject.toml",
        &["[project]\nname = \"lib\"\n", "[project]\nname = \"other\"\n"],
    ),
    (
        "lib/__init__.py",
        &[
            "from .core import *\nfrom .util import helper as assist\n",
            "from .core import Base, make\n__all__ = [\"Base\"]\n",
            "",
            "from . import core\nBase = core.Base\n",
        ],
    ),
    (
        "lib/core.py",
        &[
            "class Base:\n    def run(self):\n        return self\n\n    def stop(self):\n        return 1\n\ndef make():\n    return Base()\n",
            "class Base:\n    def run(self):\n        x = 1\n        return self\n\n    def stop(self):\n        return 1\n\ndef make():\n    return Base()\n",
            "from .util import Other\n\nclass Base(Other):\n    def run(self) -> Other:\n        return self\n\ndef make() -> Other:\n    return Other()\n",
            "__all__ = [\"make\"]\n\ndef make():\n    return 1\n\nclass Base:\n    pass\n",
            "def make():\n    def inner():\n        return Base()\n    return inner()\n\ndef make():\n    return Base()\n\nclass Base:\n    def run(self):\n        pass\n    run.x = lambda: 1\n",
        ],
    ),
    (
        "lib/util.py",
        &[
            "def helper():\n    return 1\n\nclass Other:\n    def stop(self):\n        return helper()\n",
            "from .core import make as helper\n\nclass Other:\n    def run(self):\n        return helper()\n",
            "from .core import Base\n\nclass Other(Base):\n    def stop(self):\n        return super().stop()\n",
            "class Other:\n    def __init__(self):\n        self.child = Other()\n    def run(self):\n        return self.child\n",
        ],
    ),
    ("lib/util/__init__.py", &["def helper():\n    return 2\n", ""]),
    (
        "app.py",
        &[
            "from lib import Base, make, assist\n\ndef main():\n    Base().run().stop()\n    make().run()\n    assist()\n",
            "import lib.core as c\nimport lib\n\nclass App(c.Base):\n    def run(self):\n        return super().run()\n\ndef main(b: c.Base):\n    b.run().stop()\n    lib.make().stop()\n    App().run()\n",
            "from lib.util import *\n\ndef main():\n    helper()\n    Other().run().stop()\n    o = Other()\n    o.child.run()\n",
        ],
    ),
    (
        "tests/test_app.py",
        &[
            "from app import main\nimport app\n\ndef test_main():\n    main()\n    app.App().run()\n",
            "",
        ],
    ),
];

const ECMASCRIPT: &[Versions] = &[
    (
        "package.json",
        &[
            "{\"name\": \"shop\"}",
            "{\"name\": \"shop\", \"main\": \"src/index.ts\", \"exports\": {\".\": \"./src/index.ts\"}}",
        ],
    ),
    (
        "tsconfig.json",
        &[
            "{\"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"@/*\": [\"src/*\"]}}}",
            "{\"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"@/*\": [\"lib/*\"]}}}",
        ],
    ),
    (
        "src/index.ts",
        &[
            "export * from './core';\nexport { help as assist } from './util';\n",
            "export { Base } from './core';\nexport default function start() { return 1; }\n",
            "import { Base } from './core';\nexport const base = new Base();\nexport type { Shape } from './core';\n",
            "",
        ],
    ),
    (
        "src/core.ts",
        &[
            "export class Base {\n  run() { return this; }\n  stop(): number { return 1; }\n}\nexport interface Shape { area(): number }\n",
            "export class Base {\n  run() { const x = () => 1; return this; }\n  stop(): number { return 1; }\n}\nexport interface Shape { area(): number }\n",
            "import { Other } from './util';\nexport class Base extends Other {\n  constructor(private other: Other) { super(); }\n  run() { return this.other; }\n}\nexport interface Shape { area(): number; name?: string }\n",
            "export const Base = class { run() { return 1; } };\nexport default { run() { return 2; }, stop: () => 3 };\n",
        ],
    ),
    (
        "src/util.ts",
        &[
            "export function help(): number { return 1; }\nexport class Other { stop() { return help(); } run() { return this; } }\n",
            "export const help = () => 1;\nexport class Other { stop() { return help(); } }\nfunction f(a: number): void;\nfunction f(a: string): void;\nfunction f(a: unknown) { help(); }\n",
            "import { Base } from './core';\nexport class Other extends Base { stop() { return super.stop(); } }\nexport { Base as help } from './core';\n",
            "export * from './core';\n",
        ],
    ),
    ("src/util/index.ts", &["export function help() { return 2; }\n"]),
    (
        "lib/core.js",
        &[
            "exports.Base = class Base { run() {} };\n",
            "module.exports = { run() {}, stop: function () { return 1; } };\n",
        ],
    ),
    (
        "src/app.tsx",
        &[
            "import { Base, assist } from './index';\nexport function App() { const b = new Base(); b.run().stop(); assist(); return <div/>; }\n",
            "import start, { base } from '.';\nimport * as core from '@/core';\nexport const App = () => { start(); base.run(); new core.Base().run(); return <App/>; };\n",
            "import core from './core';\nimport type { Shape } from './index';\nexport class Square implements Shape { area() { return core.run(); } }\n",
            "const core = require('@/core');\ncore.run();\nnew core.Base().run();\n",
        ],
    ),
];

/// Functions whose results rest on one another, so that most edits change what is returned and not its type.
const RESULTS: &[Versions] = &[
    (
        "a.py",
        &[
            "class A:\n    def m(self):\n        pass\n\nclass B:\n    def m(self):\n        pass\n",
            "class B:\n    def m(self):\n        pass\n\nclass A(B):\n    pass\n",
        ],
    ),
    (
        "first.py",
        &[
            "from a import A\n\ndef one():\n    return A()\n\ndef two():\n    return one()\n",
            "import a\n\ndef one():\n    return a.A()\n\ndef two():\n    x = a.A()\n    return x\n",
            "import make\n\ndef one():\n    return make.make()\n\ndef two():\n    return one()\n",
            "from a import B\n\ndef two():\n    return [B() for x in y][0]\n\ndef one():\n    return B()\n",
        ],
    ),
    (
        "second.py",
        &[
            "from a import A\n\ndef two():\n    return A()\n",
            "from first import two\n",
            "import first\n\ndef two():\n    return first.two()\n",
            "from a import B\n\ndef two():\n    return B()\n",
        ],
    ),
    (
        "make.py",
        &[
            "import first\nimport second\n\ndef make():\n    return first.one()\n",
            "import first\nimport second\n\ndef make():\n    return second.two()\n",
            "import first\n\ndef make():\n    made = first.two()\n    return made\n",
            "import second\n\ndef make():\n    def inner():\n        return second.two()\n    return inner()\n",
        ],
    ),
    (
        "app.py",
        &[
            "from make import make\n\nmake().m()\n",
            "from make import make\n\ndef run():\n    return make()\n\nrun().m()\n",
        ],
    ),
    (
        "user.py",
        &["import app\nimport make\n\napp.run().m()\nmake.make().m()\n"],
    ),
];

/// Packages that are installed beside the sources, upgraded and removed.
const INSTALLED: &[Versions] = &[
    (
        ".venv/lib/python3.12/site-packages/lib/__init__.py",
        &[
            "from .core import Base, make\n",
            "from .core import *\n",
            "class Base:\n    def run(self) -> int: ...\ndef make() -> Base: ...\n",
        ],
    ),
    (
        ".venv/lib/python3.12/site-packages/lib/core.py",
        &[
            "class Base:\n    def run(self) -> \"Base\": ...\ndef make() -> Base: ...\n",
            "def make(of):\n    return of()\n",
        ],
    ),
    (
        ".venv/lib/python3.12/site-packages/lib-stubs/__init__.pyi",
        &[
            "class Base:\n    def stop(self) -> str: ...\n",
            "def make() -> str: ...\n",
        ],
    ),
    (
        "app.py",
        &[
            "import lib\n\nclass App(lib.Base):\n    def run(self):\n        return self\n\nlib.make().run()\nApp().stop()\nApp().run().run()\n",
            "from lib import make, Base\nfrom other import Other\n\ndef go(b: Base):\n    b.run().run()\n    make().upper()\n    Other().run().run()\n",
        ],
    ),
    (
        "other.py",
        &[
            "import lib\n\nclass Other:\n    def run(self):\n        return lib.make()\n",
            "",
        ],
    ),
    ("lib.py", &["def make():\n    return 1\n"]),
];

/// Deletes (none) or writes a version of a file.
type Edit = (usize, Option<usize>);

fn edits(n_files: usize) -> impl Strategy<Value = (Vec<Edit>, Vec<Vec<Edit>>)> {
    let edit = (0..n_files, prop::option::weighted(0.85, 0..8_usize));
    let start = prop::collection::vec(edit.clone(), n_files);
    (start, prop::collection::vec(prop::collection::vec(edit, 1..3), 1..5))
}

fn apply(project: &Project, versions: &[Versions], edits: &[Edit]) {
    for (file, version) in edits {
        let (path, texts) = versions[*file];
        match version {
            Some(version) => project.fs.write(path, texts[version % texts.len()]),
            None => project.fs.remove(path),
        }
    }
}

fn check(versions: &[Versions], start: &[Edit], rounds: &[Vec<Edit>]) -> Result<(), TestCaseError> {
    let mut project = Project::new(&[]);
    for (path, texts) in versions {
        project.fs.write(path, texts[0]);
    }
    apply(&project, versions, start);
    project.refresh();
    for round in rounds {
        apply(&project, versions, round);
        project.refresh();
        let mut fresh = Project::over(Arc::clone(&project.fs), IndexConfig::default());
        fresh.refresh();
        let (incremental, cold) = (project.exported(), fresh.exported());
        if incremental != cold {
            let difference: Vec<String> = incremental
                .lines()
                .filter(|line| !cold.lines().any(|other| other == *line))
                .map(|line| format!("- {line}"))
                .chain(
                    cold.lines()
                        .filter(|line| !incremental.lines().any(|other| other == *line))
                        .map(|line| format!("+ {line}")),
                )
                .collect();
            return Err(TestCaseError::fail(format!(
                "after {round:?}:\n{}",
                difference.join("\n")
            )));
        }
        prop_assert!(project.indexer.probe().unwrap().is_clean());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn python_incremental_equals_cold((start, rounds) in edits(PYTHON.len())) {
        check(PYTHON, &start, &rounds)?;
    }

    #[test]
    fn results_that_rest_on_one_another_are_the_cold_ones((start, rounds) in edits(RESULTS.len())) {
        check(RESULTS, &start, &rounds)?;
    }

    #[test]
    fn installed_packages_incremental_equals_cold((start, rounds) in edits(INSTALLED.len())) {
        check(INSTALLED, &start, &rounds)?;
    }

    #[test]
    fn ecmascript_incremental_equals_cold((start, rounds) in edits(ECMASCRIPT.len())) {
        check(ECMASCRIPT, &start, &rounds)?;
    }
}

/// Indexes `before`, applies `edit` and compares.
fn check_edit(before: &[(&str, &str)], edit: (&str, Option<&str>)) {
    let mut project = Project::new(before);
    project.refresh();
    match edit {
        (path, Some(text)) => project.fs.write(path, text),
        (path, None) => project.fs.remove(path),
    }
    project.refresh();
    let mut fresh = Project::over(Arc::clone(&project.fs), IndexConfig::default());
    fresh.refresh();
    assert_eq!(project.exported(), fresh.exported());
}

#[test]
fn the_first_star_of_a_module_is_noticed() {
    check_edit(
        &[
            ("lib/__init__.py", ""),
            ("lib/core.py", "def f(): ...\n"),
            ("app.py", "import lib\nlib.f()\n"),
        ],
        ("lib/__init__.py", Some("from .core import *\n")),
    );
    check_edit(
        &[
            ("index.ts", "export const a = 1;\n"),
            ("core.ts", "export class B {}\n"),
            ("app.ts", "import { B } from './index';\nnew B();\n"),
        ],
        ("index.ts", Some("export const a = 1;\nexport * from './core';\n")),
    );
}

#[test]
fn a_value_that_becomes_the_module_is_noticed() {
    check_edit(
        &[
            ("core.js", "exports.a = 1;\n"),
            ("app.js", "const { run } = require('./core');\nrun();\n"),
        ],
        ("core.js", Some("module.exports = { run() {} };\n")),
    );
    check_edit(
        &[
            ("core.js", "function run() {}\n"),
            ("app.js", "import core from './core';\ncore.run();\n"),
        ],
        ("core.js", Some("exports.run = function run() {};\n")),
    );
}

#[test]
fn a_package_that_goes_is_noticed_by_those_who_missed_a_module_of_it() {
    check_edit(
        &[("lib/__init__.py", ""), ("app.py", "from lib.util import f\nf()\n")],
        ("lib/__init__.py", None),
    );
}
