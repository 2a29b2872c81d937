//! The walk survives what no one would write.

use strata_lang::{FactsBuilder, Language};
use strata_model::facts::{Expr, FileFacts, TypeExpr};
use strata_model::ids::{ExprId, TypeId};
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
        for (language, path) in [
            (&TypeScript as &dyn Language, "a.ts"),
            (&JavaScript as &dyn Language, "a.jsx"),
        ] {
            facts(language, path, &text[..end]);
        }
    }
}

/// How the type of a parameter, the result or a variable is read from a comment, spelled out.
fn doc_types(text: &str) -> Vec<String> {
    let facts = facts(&JavaScript, "a.js", text);
    let mut out = Vec::new();
    for def in &facts.defs {
        for param in facts.params(def.params) {
            out.extend(
                param
                    .hint
                    .map(|hint| format!("{}: {}", facts.str(param.name), spell(&facts, hint))),
            );
        }
        out.extend(def.ret_hint.map(|hint| format!("-> {}", spell(&facts, hint))));
        out.extend(
            def.hint
                .map(|hint| format!("{} = {}", facts.str(def.name), spell(&facts, hint))),
        );
    }
    out
}

fn spell(facts: &FileFacts, ty: TypeId) -> String {
    let list = |run| {
        facts
            .type_list(run)
            .iter()
            .map(|it| spell(facts, *it))
            .collect::<Vec<_>>()
    };
    match facts.ty(ty) {
        TypeExpr::Name(expr) => spell_expr(facts, expr),
        TypeExpr::App(base, args) => format!("{}<{}>", spell(facts, base), list(args).join(", ")),
        TypeExpr::Union(run) => list(run).join(" | "),
        TypeExpr::Array(item) => format!("{}[]", spell(facts, item)),
        TypeExpr::Tuple(run) => format!("[{}]", list(run).join(", ")),
        TypeExpr::Fn(params, result) => {
            format!(
                "({}) => {}",
                list(params).join(", "),
                result.map_or_else(String::new, |it| spell(facts, it))
            )
        }
        TypeExpr::TypeOf(expr) => format!("typeof {}", spell_expr(facts, expr)),
        TypeExpr::Module(spec) => format!("module {}", facts.str(spec)),
        TypeExpr::Literal(literal) => format!("{literal:?}"),
        TypeExpr::Object(def) => format!("object {}", facts.str(facts.def(def).name)),
        TypeExpr::SelfType => "this".to_owned(),
        TypeExpr::Opaque => "_".to_owned(),
        TypeExpr::Intersection(_) | TypeExpr::Indexed(..) => "?".to_owned(),
    }
}

fn spell_expr(facts: &FileFacts, expr: ExprId) -> String {
    match facts.expr(expr) {
        Expr::Local(name, _) | Expr::Free(name) => facts.str(name).to_owned(),
        Expr::Member(of, name) => format!("{}.{}", spell_expr(facts, of), facts.str(name)),
        Expr::Require(spec) => format!("require({})", facts.str(spec)),
        other => format!("{other:?}"),
    }
}

#[test]
fn types_are_read_from_comments() {
    let text = "
/**
 * @param {import('./t').T} a  first
 * @param {?Array.<Foo>=} [b=1]
 * @param {string|ns.Bar[]} c
 * @param {(x: Foo, y: number) => Promise<void>} d
 * @param {...Foo} e
 * @param {{ a: Foo }} f
 * @param {Object<string, Foo>} g
 * @param {typeof import} h
 * @param {[Foo, 'x']} i
 * @returns {Promise<Foo | undefined>} it
 */
function f(a, b, c, d, e, f, g, h, i) {}
/** @type {Foo} */
const x = make();
/** @typedef {import('./t')} M */
/** @typedef {Object} P
 * @property {Foo} p */
";
    assert_eq!(
        doc_types(text),
        [
            "a: require(./t).T",
            "b: Array<Foo>",
            "c: Str | ns.Bar[]",
            "d: (Foo, Float) => Promise<Null>",
            "e: Foo[]",
            "g: Record<Str, Foo>",
            "h: typeof import",
            "i: [Foo, Str]",
            "-> Promise<Foo | Null>",
            "x = Foo",
            "M = module ./t",
            "P = object P",
            "p = Foo",
        ]
    );
}

#[test]
fn broken_types_in_comments_end() {
    for ty in [
        "",
        "(",
        "[",
        "<",
        "Foo<",
        "Foo.<",
        "import(",
        "import('x",
        "function(",
        "(a",
        "(a:",
        "|",
        "?",
        "...",
        "'",
        "-",
        "Foo.",
        "[[[[",
        "((((",
        "Foo<Foo<",
    ] {
        facts(
            &JavaScript,
            "a.js",
            &format!("/** @param {{{ty}}} a */ function f(a) {{}}"),
        );
    }
}
