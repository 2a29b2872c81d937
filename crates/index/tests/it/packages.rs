//! Packages that are installed below the root: they type what passes through them and are no part of the index.

use crate::project::Project;

const SITE: &str = ".venv/lib/python3.12/site-packages";

/// A project with a file `app.py` and files of `site-packages`.
fn project(app: &str, installed: &[(&str, &str)]) -> Project {
    let project = Project::new(&[("app.py", app)]);
    for (path, text) in installed {
        project.fs.write(&format!("{SITE}/{path}"), *text);
    }
    project
}

/// What becomes of the calls of `app.py`, as `name: outcome target`.
fn calls(project: &Project) -> Vec<String> {
    let mut calls = Vec::new();
    strata_index::export_references(&project.store(), |it| {
        if it.file == "app.py" && it.edge == "call" {
            let target = it
                .external
                .clone()
                .or_else(|| it.targets.first().map(|it| it.name.clone()));
            calls.push(format!(
                "{}: {} {}",
                it.callee_text,
                it.outcome,
                target.unwrap_or_default()
            ));
        }
    })
    .unwrap();
    calls
}

fn check(app: &str, installed: &[(&str, &str)], expected: &[&str]) {
    let mut project = project(app, installed);
    let report = project.refresh();
    assert_eq!(calls(&project), expected);
    assert_eq!(report.files_total, 1, "an installed package is no part of the index");
}

#[test]
fn a_chain_through_a_package_comes_back_into_the_root() {
    check(
        "from lib import keep\nclass Job:\n    def run(self): ...\nkeep(Job()).run()\nkeep(Job()).all()[0].run()\n",
        &[
            ("lib/__init__.py", "from .core import keep as keep\n"),
            (
                "lib/core.py",
                "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass Kept(Generic[T]):\n    def run(self) -> int: ...\n    def all(self) -> list[T]: ...\ndef keep(it: T) -> Kept[T]: ...\n",
            ),
        ],
        &[
            "keep: external pypi:lib.keep",
            "run: external pypi:lib.core.Kept.run",
            "keep: external pypi:lib.keep",
            "all: external pypi:lib.core.Kept.all",
            "run: resolved run",
        ],
    );
}

#[test]
fn a_member_of_a_base_in_a_package_is_external_and_one_that_is_nowhere_is_not() {
    check(
        "from lib import Base\nclass App(Base):\n    def go(self):\n        self.run()\n        self.gone()\n",
        &[("lib.py", "class Base:\n    def run(self): ...\n")],
        &["run: external pypi:lib.Base.run", "gone: no_such_member "],
    );
}

#[test]
fn what_is_not_installed_is_external_by_its_path() {
    check(
        "import lib\nlib.make().run()\n",
        &[],
        &["make: external pypi:lib.make", "run: external pypi:lib.make().run"],
    );
}

#[test]
fn stubs_win_over_sources() {
    check(
        "import lib\nlib.make().upper()\n",
        &[
            ("lib/__init__.py", "def make(): return 1\n"),
            ("lib-stubs/__init__.pyi", "def make() -> str: ...\n"),
        ],
        &["make: external pypi:lib.make", "upper: builtin builtin:str.upper"],
    );
}

#[test]
fn a_framework_is_one_whether_it_is_installed_or_not() {
    const APP: &str = "from flask import Blueprint, Flask\nbp = Blueprint('b', __name__)\napp = Flask(__name__)\napp.register_blueprint(bp)\n@bp.route('/')\ndef index(): ...\n";
    const FLASK: &str = "class Blueprint:\n    def __init__(self, name, module): ...\n    def route(self, rule: str): ...\n\nclass Flask:\n    def __init__(self, module): ...\n    def register_blueprint(self, it: Blueprint): ...\n";
    let registered = |installed: &[(&str, &str)]| {
        let mut project = project(APP, installed);
        project.refresh();
        let mut registered = Vec::new();
        let edge = |edge: strata_index::ExportedEdge| {
            if edge.label == Some("registers") {
                registered.push(edge.to);
            }
        };
        strata_index::export_graph(&project.store(), |_| {}, edge).unwrap();
        registered
    };
    let without = registered(&[]);
    assert_eq!(without.len(), 2, "{without:?}");
    assert_eq!(registered(&[("flask/__init__.py", FLASK)]), without);
}

#[test]
fn a_package_that_is_upgraded_links_its_users_again() {
    let app = "import lib\nclass Job:\n    def run(self): ...\nlib.make().upper()\n";
    let mut project = project(app, &[("lib/__init__.py", "def make() -> str: ...\n")]);
    project.refresh();
    assert_eq!(calls(&project)[1], "upper: builtin builtin:str.upper");
    project
        .fs
        .write(&format!("{SITE}/lib/__init__.py"), "def make() -> int: ...\n");
    assert!(!project.indexer.probe().unwrap().is_clean());
    let report = project.refresh();
    assert_eq!(calls(&project)[1], "upper: builtin builtin:int.upper");
    assert_eq!((report.parsed, report.relinked), (0, 1));
    assert!(project.indexer.probe().unwrap().is_clean());
}

#[test]
fn what_was_extracted_of_a_package_is_kept_and_goes_with_it() {
    let mut project = project(
        "import lib\nlib.make().upper()\n",
        &[("lib/__init__.py", "def make() -> str: ...\n")],
    );
    project.refresh();
    let kept = |project: &Project| {
        let hash = strata_vfs::sha256(b"def make() -> str: ...\n").0;
        project.store().surfaces().unwrap().contains(&hash)
    };
    assert!(kept(&project));
    project.fs.write("app.py", "import lib\nlib.make().lower()\n");
    project.refresh();
    assert!(kept(&project), "an edit of the root leaves it alone");
    project.fs.remove(&format!("{SITE}/lib/__init__.py"));
    project.refresh();
    assert!(!kept(&project));
}

#[test]
fn a_cache_folder_that_appears_changes_nothing() {
    let mut project = project(
        "import lib\nlib.make()\n",
        &[("lib/__init__.py", "def make() -> str: ...\n")],
    );
    project.refresh();
    project.fs.write(&format!("{SITE}/lib/__pycache__/x.pyc"), "x");
    assert_eq!(project.refresh().relinked, 0);
}

/// The calls of `app.ts` in a project with files of `node_modules`.
fn npm_calls(app: &str, installed: &[(&str, &str)]) -> Vec<String> {
    let mut project = Project::new(&[("app.ts", app), ("package.json", "{}")]);
    for (path, text) in installed {
        project.fs.write(&format!("node_modules/{path}"), *text);
    }
    project.refresh();
    let mut calls = Vec::new();
    strata_index::export_references(&project.store(), |it| {
        if it.file == "app.ts" && it.edge == "call" {
            let target = it
                .external
                .clone()
                .or_else(|| it.targets.first().map(|it| it.name.clone()));
            calls.push(format!(
                "{}: {} {}",
                it.callee_text,
                it.outcome,
                target.unwrap_or_default()
            ));
        }
    })
    .unwrap();
    calls
}

#[test]
fn a_chain_through_an_npm_package_comes_back_into_the_root() {
    let app = "import { keep } from 'lib';\nclass Job { run() {} }\nkeep(new Job()).all()[0].run();\nkeep(new Job()).text().trim();\n";
    let expected = [
        "keep: external npm:lib.keep",
        "all: external npm:lib/dist/core.Kept.all",
        "run: resolved run",
        "keep: external npm:lib.keep",
        "text: external npm:lib/dist/core.Kept.text",
        "trim: builtin builtin:String.trim",
    ];
    let index = "export { keep } from './core.js';\n";
    let core =
        "export interface Kept<T> { all(): T[]; text(): string; }\nexport declare function keep<T>(it: T): Kept<T>;\n";
    let manifests = [
        r#"{ "types": "dist/index.d.ts" }"#,
        r#"{ "typings": "./dist/index" }"#,
        r#"{ "main": "dist/index.js" }"#,
        r#"{ "exports": { ".": { "import": { "types": "./dist/index.d.ts", "default": "./dist/index.js" } } } }"#,
        r#"{ "exports": "./dist/index.js" }"#,
    ];
    for manifest in manifests {
        let installed = [
            ("lib/package.json", manifest),
            ("lib/dist/index.d.ts", index),
            ("lib/dist/core.d.ts", core),
        ];
        assert_eq!(npm_calls(app, &installed), expected, "{manifest}");
    }
}

#[test]
fn declarations_of_npm_packages_may_be_elsewhere() {
    let make = "export declare function make(): { go(): string };\n";
    for (spec, path, also) in [
        ("lib", "@types/lib/index.d.ts", "lib/index.js"),
        ("@org/lib", "@types/org__lib/index.d.ts", "@org/lib/index.js"),
        ("lib/sub", "lib/sub.d.ts", "lib/sub.js"),
        ("lib/sub", "lib/sub/index.d.ts", "lib/sub/index.js"),
        ("lib/sub", "lib/out/sub.d.mts", "lib/out/sub.mjs"),
    ] {
        let app = format!("import {{ make }} from '{spec}';\nmake().go().trim();\n");
        let manifest = r#"{ "exports": { "./*": "./out/*.mjs" } }"#;
        let installed = [(path, make), (also, ""), ("lib/package.json", manifest)];
        let calls = npm_calls(&app, &installed);
        assert_eq!(
            calls.last().map(String::as_str),
            Some("trim: builtin builtin:String.trim"),
            "{calls:?}"
        );
    }
}

#[test]
fn an_npm_package_without_declarations_is_external_by_its_path() {
    let calls = npm_calls(
        "import { make } from 'lib';\nmake().run();\n",
        &[("lib/index.js", "exports.make = 1;\n")],
    );
    assert_eq!(
        calls,
        ["make: external npm:lib.make", "run: external npm:lib.make().run"]
    );
}
