//! The fixture language itself: what it has to catch, it catches.

use strata_languages::ALL;
use strata_test_support::{check_text, propose_text};

#[track_caller]
fn check(code: &str, expected: &[&str]) {
    let failures = check_text(ALL, &format!("## A\n\n```python\n{code}```\n"));
    let firsts: Vec<&str> = failures.iter().filter_map(|failure| failure.lines().next()).collect();
    assert_eq!(firsts, expected);
}

#[test]
fn what_holds_passes() {
    check("def f(): pass\nf()  #~ call -> f (module-scope)\n", &[]);
}

#[test]
fn a_false_edge_fails_as_loudly_as_a_missing_one() {
    let found = "call `f` from the module -> resolved main.py::f#2 (module-scope)";
    check(
        "def f(): pass\nf()  #~ call -> ?\n",
        &["5: expected no target, found call `f` from the module -> resolved main.py::f (module-scope)"],
    );
    check(
        "def f(): pass\ndef f(): pass\nf()  #~ call -> f#1\n",
        &[&format!("6: expected f#1, found {found}")],
    );
    check("x = 1  #~ call -> x\n", &["4: expected call, found none"]);
}

#[test]
fn the_world_is_closed_per_kind() {
    check(
        "def f(): pass\nf()  #~ call -> f\nf()\n",
        &["6: not asserted: call `f` from the module -> resolved main.py::f (module-scope)"],
    );
    check(
        "def f(): pass\nf()  #~ def f: function\n",
        &["4: not asserted: def f: function", "5: expected def `f`, found none"],
    );
}

#[test]
fn one_of_several_on_a_line_has_to_be_named_as_often_as_it_stands_there() {
    check("def f(a=0): pass\nf(f())  #~ call -> f\n", &["5: which of `f`, `f`?"]);
    check(
        "def f(a=0): pass\nf(f())  #~ call `f` -> f\n",
        &["5: not asserted: call `f` from the module -> resolved main.py::f (module-scope)"],
    );
    check(
        "def f(a=0): pass\nf(f())  #~ call `f` -> f\n        #~ call `f` -> f\n",
        &[],
    );
}

#[test]
fn how_and_owner_are_compared_where_they_are_given() {
    let found = "call `f` from g -> resolved main.py::f (module-scope)";
    check(
        "def f(): pass\ndef g():\n    f()  #~ call -> f (import)\n",
        &[&format!("6: expected import, found {found}")],
    );
    check(
        "def f(): pass\ndef g():\n    f()  #~ call from f -> f\n",
        &[&format!("6: expected from f, found {found}")],
    );
}

#[test]
fn a_section_has_to_say_that_it_does_not_parse_and_what_it_asserts() {
    check("x = 1\n", &["1: asserts nothing; UPDATE=1 proposes assertions"]);
    let broken = check_text(ALL, "## A\n\n```python\nf(  #~ call -> ?\n```\n");
    assert!(broken.iter().any(|it| it.contains("write `broken`")), "{broken:?}");
    check("x = 1  #~ calls -> f\n", &["4: no kind of edge: `calls`"]);
}

#[test]
fn proposed_assertions_hold() {
    let text = "## A\n\n```python\nimport os\n\n\ndef f(a=0):\n    pass\n\n\nf(f())\nos.getcwd()\n```\n";
    let proposed = propose_text(ALL, text).expect("the section has no assertion");
    let expected = "\
## A

```python
import os  #~ import `os` -> external:os


def f(a=0):
    pass


f(f())  #~ call `f` -> f
        #~ call `f` -> f
os.getcwd()  #~ call `getcwd` -> external:os
```
";
    assert_eq!(proposed, expected);
    assert_eq!(check_text(ALL, &proposed), Vec::<String>::new());
    assert_eq!(propose_text(ALL, &proposed), None);
}
