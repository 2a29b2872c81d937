//! What is exported with each use besides its outcome: the shape of the receiver, and whether its confidence is measured.

use strata_model::kinds::EdgeKind;

use crate::project::Project;

#[track_caller]
fn check(path: &str, text: &str, expected: &[(&str, Option<&str>)]) {
    let mut project = Project::new(&[(path, text)]);
    project.refresh();
    let mut found = Vec::new();
    strata_index::export_references(&project.store(), |it| {
        if it.edge == "call" || it.edge == "construct" {
            found.push((it.callee_text.clone(), it.receiver));
        }
    })
    .unwrap();
    let found: Vec<(&str, Option<&str>)> = found.iter().map(|(name, shape)| (name.as_str(), *shape)).collect();
    assert_eq!(found, expected);
}

#[test]
fn python() {
    check(
        "a.py",
        "import os\nfrom x import y\nclass A:\n    def f(self, p, q=1):\n        self.f()\n        super().f()\n        p.a()\n        v = p\n        v.b()\n        p.c.d()\n        p[0].e()\n        os.g()\n        y.h()\n        ''.i()\n        f()\n        A.j()\n        gone.k()\n",
        &[
            ("f", Some("parameter")),
            ("super", None),
            ("f", Some("super")),
            ("a", Some("parameter")),
            ("b", Some("variable")),
            ("d", Some("member")),
            ("e", Some("element")),
            ("g", Some("module")),
            ("h", Some("import")),
            ("i", Some("literal")),
            ("f", None),
            ("j", Some("definition")),
            ("k", Some("free")),
        ],
    );
}

#[test]
fn typescript() {
    check(
        "a.ts",
        "import * as ns from './b'\nclass A { f(p: A) { this.f(p); p.f(p); new A().f(p); ns.g(); new ns.B() } }\n",
        &[
            ("f", Some("self")),
            ("f", Some("parameter")),
            ("A", None),
            ("f", Some("call")),
            ("g", Some("module")),
            ("B", Some("module")),
        ],
    );
}

#[test]
fn confidence_is_measured_where_answers_were_judged() {
    let measured = |path: &str, text: &str| {
        let mut project = Project::new(&[(path, text)]);
        project.refresh();
        let mut found = Vec::new();
        strata_index::export_references(&project.store(), |it| {
            if it.edge == "call" {
                assert!(it.confidence > 0.0 && it.confidence < 1.0, "{}", it.confidence);
                found.push(it.is_measured);
            }
        })
        .unwrap();
        let mut edges = Vec::new();
        strata_index::export_graph(
            &project.store(),
            |_| {},
            |edge| {
                if edge.kind == EdgeKind::Calls {
                    edges.push(edge.is_measured);
                }
            },
        )
        .unwrap();
        assert_eq!(found, edges);
        found
    };
    assert_eq!(measured("a.py", "def f(): ...\ndef g():\n    f()\n"), [true]);
    let component = "<script setup>\nfunction f() {}\nfunction g() { f() }\n</script>\n";
    assert_eq!(measured("A.vue", component), [false]);
}
