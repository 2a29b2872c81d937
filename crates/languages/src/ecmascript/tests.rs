//! The walk survives what no one would write.

use strata_lang::{FactsBuilder, Language};
use strata_model::facts::FileFacts;
use strata_model::kinds::{ParseStatus, RefKind};

use crate::javascript::JavaScript;
use crate::typescript::TypeScript;

fn facts(language: &dyn Language, path: &str, text: &str) -> FileFacts {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&language.grammar(path)).unwrap();
    let tree = parser.parse(text, None).unwrap();
    let mut builder = FactsBuilder::new(language.name(), path, text.as_bytes(), language.policy());
    language.extract(&tree, &mut builder);
    builder.finish()
}

fn calls(facts: &FileFacts) -> usize {
    facts.refs.iter().filter(|it| it.kind == RefKind::Call).count()
}

#[test]
fn nesting_is_followed_to_a_limit() {
    const N: usize = 20_000;
    let texts = [
        format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("{}{}", "[".repeat(N), "]".repeat(N)),
        "{".repeat(N),
        format!("x = {}", "{a:".repeat(N)),
        "f(() => ".repeat(N),
        "a ? b : ".repeat(N / 10),
        "!".repeat(N),
        "if (a) { ".repeat(N / 10),
        "class A { m() { ".repeat(N / 10),
        format!("x{}", ".a()".repeat(N / 10)),
        "`${".repeat(N / 10),
    ];
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        for text in texts {
            for (language, path) in [
                (&TypeScript as &dyn Language, "a.ts"),
                (&TypeScript as &dyn Language, "a.tsx"),
                (&JavaScript as &dyn Language, "a.js"),
            ] {
                let facts = facts(language, path, &text);
                assert_eq!(facts.parse_status, ParseStatus::Partial, "{}", &text[..20]);
            }
        }
    });
    worker.unwrap().join().unwrap();
}

#[test]
fn types_nest_to_a_limit() {
    const N: usize = 20_000;
    let texts = [
        format!("type A = {}1", "Array<".repeat(N)),
        format!("type A = {}", "(".repeat(N)),
        format!("type A = {}", "{ a: ".repeat(N)),
        format!("type A = B{}", "[]".repeat(N)),
        format!("type A = {} C", "(a: B) => ".repeat(N)),
    ];
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        for text in texts {
            facts(&TypeScript, "a.ts", &text);
        }
    });
    worker.unwrap().join().unwrap();
}

#[test]
fn long_chains_are_no_nesting() {
    let sum = format!("x = f(){};", " + f()".repeat(5_000));
    assert_eq!(calls(&facts(&JavaScript, "a.js", &sum)), 5_001);
    let branches = format!("if (f()) {{}}{}", " else if (f()) { f() }".repeat(3_000));
    let found = facts(&JavaScript, "a.js", &branches);
    assert_eq!((calls(&found), found.parse_status), (6_001, ParseStatus::Ok));
    let union = format!("type A = T{};", " | T".repeat(5_000));
    let found = facts(&TypeScript, "a.ts", &union);
    assert_eq!(found.refs.len(), 5_001);
}

#[test]
fn every_prefix_of_a_text_is_read() {
    let text = "@D() export class A<T extends B> extends C(d) implements E { static #x = 1; constructor(private a: B) { super(); this.b = () => `${a}`; }\n get y() { return this?.z!.w as Q } }\nconst { p, q: [r = 1] } = await import('m'), o = { s, async *t() {}, ...u };\nfor await (const v of w) { if (!(v instanceof A)) continue; switch (v) { case 1: x(); default: throw <A>v } }\nexport { p as default, type A } from './n'; type Z = typeof p extends infer I ? { [K in keyof I]: I[K] } : never; enum N { A = 1 } namespace M.O { export function g(): void }";
    for end in 0..text.len() {
        for (language, path) in [(&TypeScript as &dyn Language, "a.ts"), (&JavaScript as &dyn Language, "a.jsx")] {
            facts(language, path, &text[..end]);
        }
    }
}
