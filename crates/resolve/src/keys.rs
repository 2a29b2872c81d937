//! Keys: what one file may look up in another, and how a file's answers are hashed.
//!
//! A key names one *primitive* question to one file: a name of its module scope, its stars, a definition's declared
//! surface, a class's member, a function's returned expressions. Everything derived (types, inherited members, export
//! chains) is computed from such answers, and whoever uses a derived result records all keys below it. So a change is
//! compared file by file: a key whose answer differs makes those who asked link again, and nobody else.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};
use strata_model::facts::{BindSource, DefFlags, ExportSource, Expr, FileFacts, ImportKind, ScopeKind, TypeExpr};
use strata_model::ids::{BindSetId, DefId, ExprId, Run, StrId, TypeId};
use strata_model::kinds::NodeKind;

const NAME: u64 = 1;
const STARS: u64 = 2;
const DEF: u64 = 3;
const MEMBER: u64 = 4;
const BODY: u64 = 5;
const PATH: u64 = 6;
const ALIAS: u64 = 7;
/// Deepest shape that is hashed in detail.
const MAX_DEPTH: u32 = 40;

/// A stable 64-bit hash of a text.
pub(crate) fn hash_text(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    mix(hasher.finish(), text.len() as u64)
}

fn mix(a: u64, b: u64) -> u64 {
    // splitmix64's finaliser: FxHasher alone leaves the low bits of short inputs alike.
    let mut z = a.rotate_left(23) ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

pub(crate) fn name_key(path_hash: u64, name: &str) -> u64 {
    mix(mix(path_hash, NAME), hash_text(name))
}

pub(crate) fn stars_key(path_hash: u64) -> u64 {
    mix(path_hash, STARS)
}

pub(crate) fn def_key(path_hash: u64, def_hash: u64) -> u64 {
    mix(mix(path_hash, DEF), def_hash)
}

pub(crate) fn member_key(path_hash: u64, class_hash: u64, name: &str) -> u64 {
    mix(mix(mix(path_hash, MEMBER), class_hash), hash_text(name))
}

pub(crate) fn body_key(path_hash: u64, def_hash: u64) -> u64 {
    mix(mix(path_hash, BODY), def_hash)
}

/// The key of the definitions that a decorator gives a name of their own.
pub(crate) fn alias_key(path_hash: u64, name: &str) -> u64 {
    mix(mix(path_hash, ALIAS), hash_text(name))
}

/// Definitions that a decorator gives another name by an argument (`@fixture(name="x")`): the argument's name, the name
/// that it gives, the definition.
pub(crate) fn aliases(facts: &FileFacts) -> Vec<(StrId, &str, DefId)> {
    let mut out = Vec::new();
    for (ix, def) in facts.defs.iter().enumerate() {
        for decorator in facts.expr_list(def.decorators) {
            let Expr::Call(_, args, _) = facts.expr(*decorator) else {
                continue;
            };
            for arg in facts.args(args) {
                if let (Some(name), Some(text)) = (arg.name, facts.literal_text(arg.value)) {
                    out.push((name, text, DefId(u32::try_from(ix).unwrap_or(u32::MAX))));
                }
            }
        }
    }
    out
}

/// The key that stands for the existence of a source file, or of a folder with source files (`path` ends in `/`).
#[must_use]
pub fn path_key(path: &str) -> u64 {
    mix(PATH, hash_text(path))
}

/// Hashes of all definitions' places: name, kind and rank among equals, below their parents'.
pub(crate) fn def_hashes(facts: &FileFacts) -> Vec<u64> {
    let mut hashes = vec![0; facts.defs.len()];
    let mut ranks: FxHashMap<(u64, StrId), u64> = FxHashMap::default();
    for (ix, def) in facts.defs.iter().enumerate() {
        // A parent usually comes first; a member that is found before its class hangs below the parent's name only.
        let parent = def.parent.map_or(0, |parent| {
            if parent.ix() < ix {
                hashes[parent.ix()]
            } else {
                hash_text(facts.str(facts.def(parent).name))
            }
        });
        let rank = ranks.entry((parent, def.name)).or_default();
        hashes[ix] = mix(mix(parent, hash_text(facts.str(def.name))), *rank);
        *rank += 1;
    }
    hashes
}

/// The keys that `file` answers when others look something up in it, with a hash of each answer; sorted by key. Two
/// versions of a file with equal surfaces are the same to every other file.
#[must_use]
pub fn surface(path: &str, facts: &FileFacts) -> Vec<(u64, u64)> {
    let path_hash = hash_text(path);
    let hashes = def_hashes(facts);
    let mut out = Vec::with_capacity(facts.module_names.len() + facts.defs.len() * 3 + 1);
    let mut names: FxHashMap<StrId, u64> = FxHashMap::default();
    let shaper = || Shaper {
        facts,
        hashes: &hashes,
        sets: FxHashMap::default(),
    };
    for (name, set) in &facts.module_names {
        names.insert(*name, shaper().bind_set(*set, MAX_DEPTH, true));
    }
    let mut stars = mix(u64::from(facts.exports.is_empty()), u64::from(facts.flags));
    for export in &facts.exports {
        let mut shape = shaper();
        let source = match export.source {
            ExportSource::Value(expr) => shape.expr(expr, MAX_DEPTH),
            ExportSource::From(spec, name) => mix(shape.text(spec), shape.text(name)),
            ExportSource::StarAs(spec) => mix(7, shape.text(spec)),
            ExportSource::Star(spec) => {
                stars = mix(stars, shape.text(spec));
                continue;
            }
        };
        let entry = names.entry(export.name).or_insert(11);
        *entry = mix(*entry, source);
    }
    for import in facts.imports.iter().filter(|import| import.kind == ImportKind::Star) {
        stars = mix(stars, hash_text(facts.str(import.spec)));
    }
    if let Some(all) = &facts.all_names {
        stars = mix(stars, u64::from(all.is_dynamic) + 3);
        for name in &all.names {
            stars = mix(stars, hash_text(facts.str(*name)));
        }
        for list in &all.lists {
            stars = mix(stars, shaper().expr(*list, MAX_DEPTH));
        }
    }
    out.push((stars_key(path_hash), stars));
    // The order of a hash map does not matter here: the list is sorted below.
    let mut named: Vec<(StrId, u64)> = names.into_iter().collect();
    named.sort_unstable();
    for (name, answer) in named {
        out.push((name_key(path_hash, facts.str(name)), answer));
    }
    let mut members: FxHashMap<u64, u64> = FxHashMap::default();
    for (ix, def) in facts.defs.iter().enumerate() {
        let id = DefId(u32::try_from(ix).unwrap_or(u32::MAX));
        out.push((def_key(path_hash, hashes[ix]), shaper().declaration(id)));
        if !def.returns.is_empty() || !def.yields.is_empty() {
            out.push((body_key(path_hash, hashes[ix]), shaper().body(id)));
        }
        if let Some(parent) = def.parent {
            let key = member_key(path_hash, hashes[parent.ix()], facts.str(def.name));
            let entry = members.entry(key).or_insert(17);
            *entry = mix(
                *entry,
                mix(hashes[ix], u64::from(def.kind.code()) << 32 | u64::from(def.flags.0)),
            );
        }
    }
    out.extend(members);
    let mut named: FxHashMap<u64, u64> = FxHashMap::default();
    for (_, name, def) in aliases(facts) {
        let entry = named.entry(alias_key(path_hash, name)).or_insert(67);
        *entry = mix(*entry, hashes[def.ix()]);
    }
    out.extend(named);
    out.sort_unstable();
    out
}

/// Hashes shapes: names of the module scope by name (whoever evaluates them asks for them), local ones by what they hold.
/// True for a class whose fields have an order that matters: a decorated one, or one whose base is `NamedTuple`.
pub(crate) fn is_record(facts: &FileFacts, class: DefId) -> bool {
    let def = facts.def(class);
    let has_base = facts.supers[def.supers.range()]
        .iter()
        .any(|super_ref| match facts.ty(super_ref.ty) {
            TypeExpr::Name(expr) => match facts.expr(expr) {
                Expr::Local(name, _) | Expr::Free(name) | Expr::Member(_, name) => facts.str(name) == "NamedTuple",
                _ => false,
            },
            _ => false,
        });
    def.kind.is_type() && (has_base || !def.decorators.is_empty())
}

/// True for interfaces, object types and object literals of ECMAScript, which are compared by their members.
pub(crate) fn lists_members(facts: &FileFacts, def: DefId) -> bool {
    let def = facts.def(def);
    def.kind == NodeKind::Interface || def.flags.has(DefFlags::OBJECT)
}

/// Hashes of the names of a type's own members, and of whether they have to be there.
fn member_names(facts: &FileFacts, ty: DefId) -> Vec<u64> {
    let end = facts.def(ty).span.end;
    facts.defs[ty.ix() + 1..]
        .iter()
        .take_while(|def| def.span.start < end)
        .filter(|def| def.parent == Some(ty))
        .map(|def| {
            let is_optional = u64::from(def.flags.has(DefFlags::OPTIONAL));
            mix(hash_text(facts.str(def.name)), is_optional)
        })
        .collect()
}

/// The fields that a class body declares, in order.
pub(crate) fn record_fields(facts: &FileFacts, class: DefId) -> Vec<DefId> {
    let end = facts.def(class).span.end;
    (0_u32..)
        .zip(&facts.defs)
        .skip(class.ix() + 1)
        .take_while(|(_, def)| def.span.start < end)
        .filter(|(_, def)| def.parent == Some(class) && def.hint.is_some() && !def.flags.has(DefFlags::INSTANCE_FIELD))
        .map(|(ix, _)| DefId(ix))
        .collect()
}

struct Shaper<'f> {
    facts: &'f FileFacts,
    hashes: &'f [u64],
    /// Sets hashed so far; a set that is being hashed stands there by its name, which ends cycles.
    sets: FxHashMap<BindSetId, u64>,
}

impl Shaper<'_> {
    fn text(&self, id: StrId) -> u64 {
        hash_text(self.facts.str(id))
    }

    fn def(&self, id: DefId) -> u64 {
        self.hashes[id.ix()]
    }

    fn declaration(&mut self, id: DefId) -> u64 {
        let def = self.facts.def(id);
        let mut h = mix(
            u64::from(def.kind.code()) << 32 | u64::from(def.flags.0),
            self.hashes[id.ix()],
        );
        for param in self
            .facts
            .params(def.params)
            .iter()
            .chain(self.facts.params(def.type_params))
        {
            h = mix(h, self.text(param.name));
            h = mix(h, param.kind as u64 * 2 + u64::from(param.is_optional));
            h = mix(h, param.hint.map_or(1, |hint| self.ty(hint, MAX_DEPTH)));
            h = mix(h, param.default.map_or(1, |default| self.expr(default, MAX_DEPTH)));
        }
        h = mix(h, def.ret_hint.map_or(1, |hint| self.ty(hint, MAX_DEPTH)));
        h = mix(h, def.hint.map_or(1, |hint| self.ty(hint, MAX_DEPTH)));
        for super_ref in &self.facts.supers[def.supers.range()] {
            h = mix(h, self.ty(super_ref.ty, MAX_DEPTH) ^ u64::from(super_ref.is_implements));
        }
        for expr in self
            .facts
            .expr_list(def.decorators)
            .iter()
            .chain(self.facts.expr_list(def.values))
        {
            h = mix(h, self.expr(*expr, MAX_DEPTH));
        }
        if let Some((call, index)) = def.context {
            h = mix(h, self.expr(call, MAX_DEPTH / 2) ^ u64::from(index));
        }
        if lists_members(self.facts, id) {
            for name in member_names(self.facts, id) {
                h = mix(h, name);
            }
        }
        if is_record(self.facts, id) {
            for field in record_fields(self.facts, id) {
                h = mix(h, self.text(self.facts.def(field).name));
            }
        }
        mix(h, def.parent.map_or(0, |parent| self.def(parent)))
    }

    fn body(&mut self, id: DefId) -> u64 {
        let def = self.facts.def(id);
        let mut h = 29;
        for expr in self.facts.expr_list(def.returns) {
            h = mix(h, self.expr(*expr, MAX_DEPTH));
        }
        h = mix(h, 31);
        for expr in self.facts.expr_list(def.yields) {
            h = mix(h, self.expr(*expr, MAX_DEPTH));
        }
        h
    }

    fn bind_set(&mut self, set: BindSetId, depth: u32, with_module_scope: bool) -> u64 {
        if let Some(known) = self.sets.get(&set) {
            return *known;
        }
        let mut h = 37;
        self.sets.insert(set, h);
        for bind in self.facts.bind_set(set) {
            let binding = self.facts.bindings[bind.ix()];
            let is_module = self.facts.scopes[binding.scope.ix()].kind == ScopeKind::File;
            if is_module && !with_module_scope {
                let by_name = mix(41, self.text(binding.name));
                self.sets.insert(set, by_name);
                return by_name;
            }
            let source = match binding.source {
                BindSource::Def(def) => mix(1, self.def(def)),
                BindSource::Import(import) => {
                    let import = self.facts.imports[import.ix()];
                    let name = import.name.map_or(1, |name| self.text(name));
                    mix(mix(2, self.text(import.spec)), name ^ import.kind as u64)
                }
                BindSource::Param(def, index) => mix(mix(3, self.def(def)), u64::from(index)),
                BindSource::TypeParam(def, index) => mix(mix(4, self.def(def)), u64::from(index)),
                BindSource::Value(expr) => mix(5, self.expr(expr, depth.saturating_sub(1))),
                BindSource::Typed => 6,
                BindSource::Opaque => 7,
            };
            h = mix(h, source);
            h = mix(h, binding.hint.map_or(1, |hint| self.ty(hint, depth.saturating_sub(1))));
            h = mix(h, binding.def.map_or(1, |def| self.def(def)));
        }
        self.sets.insert(set, h);
        h
    }

    fn expr(&mut self, id: ExprId, depth: u32) -> u64 {
        if depth == 0 {
            // Deeper than evaluation goes: the identity of the expression stands for it.
            return mix(43, u64::from(id.0));
        }
        let d = depth - 1;
        match self.facts.expr(id) {
            Expr::Local(name, set) => mix(mix(1, self.text(name)), self.bind_set(set, d, false)),
            Expr::Free(name) => mix(2, self.text(name)),
            Expr::This(def, is_static) => mix(3, self.def(def) ^ u64::from(is_static)),
            Expr::Super(def, is_static) => mix(4, self.def(def) ^ u64::from(is_static)),
            Expr::Param(def, index) => mix(mix(5, self.def(def)), u64::from(index)),
            Expr::Def(def) => mix(6, self.def(def)),
            Expr::Member(base, name) => mix(mix(7, self.expr(base, d)), self.text(name)),
            Expr::Index(base, key) => mix(mix(8, self.expr(base, d)), self.expr(key, d)),
            Expr::Call(callee, args, types) => mix(mix(9, self.expr(callee, d)), self.arguments(args, types, d)),
            Expr::New(callee, args, types) => mix(mix(10, self.expr(callee, d)), self.arguments(args, types, d)),
            Expr::Cast(ty) => mix(11, self.ty(ty, d)),
            Expr::Await(inner) => mix(12, self.expr(inner, d)),
            Expr::Unwrap(inner) => mix(13, self.expr(inner, d)),
            Expr::Iter(inner) => mix(14, self.expr(inner, d)),
            Expr::AsyncIter(inner) => mix(15, self.expr(inner, d)),
            Expr::Item(inner, index) => mix(mix(16, self.expr(inner, d)), u64::from(index)),
            Expr::Entered(inner) => mix(17, self.expr(inner, d)),
            Expr::AsyncEntered(inner) => mix(18, self.expr(inner, d)),
            Expr::Either(a, b) => mix(mix(19, self.expr(a, d)), self.expr(b, d)),
            Expr::Tuple(run) => mix(20, self.exprs(run, d)),
            Expr::List(run) => mix(21, self.exprs(run, d)),
            Expr::Dict(run) => mix(22, self.exprs(run, d)),
            Expr::Lit(literal) => mix(mix(23, literal as u64), self.literal_text(id)),
            Expr::Require(spec) => mix(24, self.text(spec)),
            Expr::ImportCall(spec) => mix(25, self.text(spec)),
            Expr::Opaque => 26,
            Expr::Is(inner, ty) => mix(mix(27, self.expr(inner, d)), self.ty(ty, d)),
            Expr::IsNot(inner, ty) => mix(mix(28, self.expr(inner, d)), self.ty(ty, d)),
            Expr::Place(member, place) => mix(mix(29, self.expr(member, d)), self.expr(place, d)),
            Expr::At(element, position) => mix(mix(30, self.expr(element, d)), u64::from(position)),
            Expr::Sent(def) => mix(31, self.def(def)),
            Expr::Delegated(inner) => mix(32, self.expr(inner, d)),
        }
    }

    /// The text of a literal that is a key or a type.
    fn literal_text(&self, id: ExprId) -> u64 {
        self.facts.literal_text(id).map_or(1, hash_text)
    }

    fn exprs(&mut self, run: Run, depth: u32) -> u64 {
        let facts = self.facts;
        facts
            .expr_list(run)
            .iter()
            .fold(47, |h, expr| mix(h, self.expr(*expr, depth)))
    }

    fn types(&mut self, run: Run, depth: u32) -> u64 {
        let facts = self.facts;
        facts
            .type_list(run)
            .iter()
            .fold(53, |h, ty| mix(h, self.ty(*ty, depth)))
    }

    fn arguments(&mut self, args: Run, types: Run, depth: u32) -> u64 {
        let facts = self.facts;
        let h = facts.args(args).iter().fold(59, |h, arg| {
            let name = arg.name.map_or(u64::from(arg.is_spread), |name| self.text(name));
            mix(mix(h, name), self.expr(arg.value, depth))
        });
        mix(h, self.types(types, depth))
    }

    fn ty(&mut self, id: TypeId, depth: u32) -> u64 {
        if depth == 0 {
            return mix(61, u64::from(id.0));
        }
        let d = depth - 1;
        match self.facts.ty(id) {
            TypeExpr::Name(expr) => mix(1, self.expr(expr, d)),
            TypeExpr::App(base, args) => mix(mix(2, self.ty(base, d)), self.types(args, d)),
            TypeExpr::Union(run) => mix(3, self.types(run, d)),
            TypeExpr::Intersection(run) => mix(4, self.types(run, d)),
            TypeExpr::Array(inner) => mix(5, self.ty(inner, d)),
            TypeExpr::Tuple(run) => mix(6, self.types(run, d)),
            TypeExpr::Fn(params, ret) => mix(mix(7, self.types(params, d)), ret.map_or(1, |ret| self.ty(ret, d))),
            TypeExpr::SelfType => 8,
            TypeExpr::TypeOf(expr) => mix(9, self.expr(expr, d)),
            TypeExpr::Object(def) => mix(10, self.def(def)),
            TypeExpr::Indexed(base, name) => mix(mix(11, self.ty(base, d)), self.text(name)),
            TypeExpr::Module(spec) => mix(12, self.text(spec)),
            TypeExpr::Literal(literal) => mix(13, literal as u64),
            TypeExpr::Opaque => 14,
        }
    }
}
