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
            "f: object <object>",
            "g: Record<Str, Foo>",
            "h: typeof import",
            "i: [Foo, Str]",
            "-> Promise<Foo | Null>",
            "a = Foo",
            "x = Foo",
            "M = module ./t",
            "P = object P",
            "p = Foo",
        ]
    );
}

#[test]
fn comments_declare_types() {
    let text = "
/** @import D, { A as B, C } from './m' */
/** @import * as ns from \"./n\" */
/** @typedef {{ a: B, b?: ns.T[] }} P */
/**
 * @callback F
 * @param {C} c
 * @returns {D}
 */
/**
 * @template {P} T
 * @this {D}
 * @param {T} t
 * @param {{ f: F }} first
 * @param {Object} options
 * @param {B} [options.b]
 * @returns {x is C}
 */
function f(t, { f }, options, /** @type {C} */ c) {
    this.g();
}
class K {
    /** @type {B} */
    x = null;
}
const o = {
    /** @type {C} */
    y: null,
};
";
    let facts = facts(&JavaScript, "a.js", text);
    assert_eq!(
        doc_types(text),
        [
            "P = object P",
            "a = B",
            "b = ns.T[]",
            "F = (C) => D",
            "t: T",
            ": object <object>",
            "options: object <object>",
            "c: C",
            "-> Bool",
            "f = F",
            "b = B",
            "x = B",
            "y = C",
        ]
    );
    let imports: Vec<_> = facts
        .imports
        .iter()
        .map(|it| (facts.str(it.spec), it.local.map(|it| facts.str(it)), it.is_type_only))
        .collect();
    assert_eq!(
        imports,
        [
            ("./m", Some("D"), true),
            ("./m", Some("B"), true),
            ("./m", Some("C"), true),
            ("./n", Some("ns"), true),
        ]
    );
    let call = facts.refs.iter().find(|it| it.kind == RefKind::Call).unwrap();
    let strata_model::facts::RefTarget::Expr(call) = call.target else {
        panic!()
    };
    let Expr::Call(callee, ..) = facts.expr(call) else {
        panic!()
    };
    let Expr::Member(this, _) = facts.expr(callee) else {
        panic!()
    };
    assert!(matches!(facts.expr(this), Expr::Cast(_)));
    let names: Vec<_> = facts
        .refs
        .iter()
        .filter(|it| it.kind == RefKind::Type)
        .map(|it| (facts.str(it.name), &text[it.span.start as usize..it.span.end as usize]))
        .collect();
    assert!(names.iter().all(|(name, text)| name == text));
    assert_eq!(names.len(), 12, "{names:?}");
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
        "{",
        "{a",
        "{a:",
        "{[",
        "{;;b(",
        "{{{{",
        "keyof keyof",
        "a is",
        "(a) => asserts",
        "T[",
        "T['",
        "é[é",
    ] {
        facts(
            &JavaScript,
            "a.js",
            &format!("/** @param {{{ty}}} a */ function f(a) {{}}"),
        );
    }
}
