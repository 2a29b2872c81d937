//! The walk survives what no one would write.

use strata_lang::{FactsBuilder, Language};
use strata_model::facts::FileFacts;
use strata_model::kinds::{ParseStatus, RefKind};

use crate::python::Python;

fn facts(text: &str) -> FileFacts {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&Python.grammar("a.py")).unwrap();
    let tree = parser.parse(text, None).unwrap();
    let mut builder = FactsBuilder::new("python", "a.py", text.as_bytes(), Python.policy());
    Python.extract(&tree, &mut builder);
    builder.finish()
}

fn n_refs(facts: &FileFacts, kind: RefKind) -> usize {
    facts.refs.iter().filter(|it| it.kind == kind).count()
}

#[test]
fn nesting_is_followed_to_a_limit() {
    const N: usize = 2_000;
    let texts = [
        format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("x = {}1{}", "{1: ".repeat(N), "}".repeat(N)),
        format!("f{}", "()".repeat(N)),
        format!("x{}", ".a()".repeat(N)),
        format!("x{}", "[0]".repeat(N)),
        format!("{}f{}()", "(".repeat(N), ")".repeat(N)),
        format!("{}x", "not ".repeat(N)),
        format!("if {}x: pass", "not ".repeat(N)),
        format!("{}x", "lambda: ".repeat(N)),
        format!("{}x", "a if b else ".repeat(N)),
        format!("{}x", "a = ".repeat(N)),
        format!("{}x{} = 1", "(".repeat(N), ",)".repeat(N)),
        format!("x: {}int{}", "list[".repeat(N), "]".repeat(N)),
        format!("x: {}int", "a | ".repeat(N)),
        format!("x = {}1{}", "cast(".repeat(N), ", 2)".repeat(N)),
        format!("class A(B{}): pass", "[C]".repeat(N)),
        format!("isinstance(x, {}A{})", "(".repeat(N), ",)".repeat(N)),
        format!("{}f(){}", "[x for x in ".repeat(N), "]".repeat(N)),
        format!("match x:\n case {}y{}: pass", "[".repeat(N), "]".repeat(N)),
        format!("__all__ = {}{}", "[".repeat(N), "]".repeat(N)),
        (0..400)
            .map(|depth| format!("{}if f():\n", " ".repeat(depth)))
            .collect::<String>()
            + &" ".repeat(400)
            + "g()",
        (0..400)
            .map(|depth| format!("{}def f():\n", " ".repeat(depth)))
            .collect::<String>()
            + &" ".repeat(400)
            + "g()",
    ];
    // The stack of a worker thread.
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        for text in texts {
            facts(&text);
        }
    });
    worker.unwrap().join().unwrap();
}

#[test]
fn nesting_that_is_not_followed_is_a_problem() {
    let text = format!("{}1{}", "(".repeat(1_000), ")".repeat(1_000));
    assert_eq!(facts(&text).parse_status, ParseStatus::Partial);
}

#[test]
fn chains_of_operators_may_be_long() {
    for operator in [" + ", " and ", " or "] {
        let text = format!("if {}f(): pass", format!("f(){operator}").repeat(5_000));
        let facts = facts(&text);
        assert_eq!(facts.parse_status, ParseStatus::Ok);
        assert_eq!(n_refs(&facts, RefKind::Call), 5_001, "{operator}");
    }
}

#[test]
fn every_prefix_of_a_text_is_read() {
    let text = "from __future__ import x\nfrom .a import (b as c, d)\nimport e.f as g, h.i\n\
        @d.e(1)\nclass A[T: int](B[T], metaclass=M):\n    'doc'\n    x: 'list[A]' = field()\n\
        \x20   @property\n    async def p(self, a: int = 1, /, *b: T, c, **d) -> 'T | None':\n\
        \x20       global y; nonlocal z\n        self.q, *r = await f'{a!r:>{b}}', *c\n\
        \x20       async with m as (n, o): yield from lambda u, *v: (w := u)\n\
        \x20       try: return [i async for i in j if not isinstance(i, (K, L)) or i]\n\
        \x20       except* (E, F) as e: raise E from None\n        else: del s[1:2]\n        finally: t += 1\n\
        match x, y:\n    case A.B(c=1) as d, [e, *_] | {'k': v, **w} if z: ...\n    case _: print >>f, x\n\
        type Z[**P] = Callable[P, int]\n__all__ = ['a'] + b.__all__\nwhile 0: assert x, 'é'\nelse: pass\n";
    for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
        facts(&text[..end]);
    }
    assert_eq!(facts(text).parse_status, ParseStatus::Ok);
}
