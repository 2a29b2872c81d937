//! What the tests of ECMAScript say of a value besides its class: a member that tells the types of a union apart, a member
//! that only some of them have, and functions whose result says of which type an argument is.

use strata_model::facts::{BindSource, Expr, Literal, TypeExpr};
use strata_model::ids::{ExprId, FileIx, Run, StrId, SymbolRef, TypeId};
use strata_model::kinds::NodeKind;
use strata_model::outcome::How;

use crate::names::NameId;
use crate::program::{Namespace, Program, Target, Val};
use crate::types::{Ty, TyData, Types};

/// A value that a member which tells types apart may have.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Tag {
    /// A literal with its text.
    Text(Literal, NameId),
    /// A member of an enumeration, or a symbol.
    Symbol(SymbolRef),
}

/// How far declarations are followed for the values of a member.
const LIMIT: u32 = 6;

/// The builtin name that stands for what an assertion function says when it returns.
pub(crate) const ASSERTS: &str = "asserts";

impl Program<'_> {
    /// What is left of a type after a test that is no plain type. None: it is one.
    pub(crate) fn tested_otherwise(&mut self, file: FileIx, ty: Ty, test: TypeId, holds: bool) -> Option<Ty> {
        let facts = self.facts(file);
        match facts.ty(test) {
            TypeExpr::Indexed(base, name) => Some(match facts.ty(base) {
                TypeExpr::TypeOf(call) if matches!(facts.expr(call), Expr::Call(..)) => {
                    self.said_by_call(file, ty, call, name, holds)
                }
                TypeExpr::Opaque => {
                    let name = self.name(file, name);
                    self.with_member(ty, name, holds)
                }
                _ => {
                    let name = self.name(file, name);
                    match self.tags_of_type(file, base, 0).as_deref() {
                        Some([tag]) => self.with_tag(ty, name, tag, holds),
                        _ => ty,
                    }
                }
            }),
            TypeExpr::Fn(..) => Some(self.functions_of(ty, holds)),
            TypeExpr::Union(tests) => {
                let tests = facts.type_list(tests).to_vec();
                let is_plain = tests
                    .iter()
                    .all(|test| !matches!(facts.ty(*test), TypeExpr::Indexed(..) | TypeExpr::Fn(..)));
                if is_plain {
                    return None;
                }
                if holds {
                    let parts: Vec<Ty> = tests
                        .iter()
                        .map(|test| self.tested_otherwise(file, ty, *test, true).unwrap_or(ty))
                        .collect();
                    return Some(self.types.join(parts));
                }
                let mut left = ty;
                for test in tests {
                    left = self.tested_otherwise(file, left, test, false).unwrap_or(left);
                }
                Some(left)
            }
            _ => None,
        }
    }

    /// What the result of a call says of the argument at a position.
    fn said_by_call(&mut self, file: FileIx, ty: Ty, call: ExprId, position: StrId, holds: bool) -> Ty {
        let position = self.facts(file).str(position).parse::<usize>().unwrap_or(usize::MAX);
        let result = self.eval(file, call).ty;
        for part in self.types.members(result) {
            let TyData::BuiltinInst(name, said) = self.types.get(part).clone() else {
                continue;
            };
            let name = self.names.text(name);
            let Some(class) = said.first().copied().filter(|_| said.len() == position + 1) else {
                continue;
            };
            let says_nothing = matches!(self.types.get(class), TyData::Unknown | TyData::Var(..));
            if says_nothing || !matches!(&*name, "Boolean" | ASSERTS) {
                continue;
            }
            return if holds {
                self.those_within(ty, class)
            } else {
                self.those_not_within(ty, class)
            };
        }
        ty
    }

    /// The members of a union that have a member of a name, or have none.
    fn with_member(&mut self, ty: Ty, name: NameId, holds: bool) -> Ty {
        let members = self.types.members(ty);
        let mut kept = Vec::new();
        for member in &members {
            let found = self.member(*member, name);
            let has = match (found.targets.is_empty(), found.is_missing) {
                (false, _) => Some(true),
                (true, true) => Some(false),
                (true, false) => None,
            };
            // An optional member may be missing, so having none says nothing.
            let is_kept = match has {
                None => true,
                Some(true) => holds || self.is_optional_member(&found.targets),
                Some(false) => !holds,
            };
            if is_kept && !(holds && *member == Types::NULL) {
                kept.push(*member);
            }
        }
        if kept.is_empty() { ty } else { self.types.join(kept) }
    }

    fn is_optional_member(&mut self, found: &[crate::members::Found]) -> bool {
        found.iter().any(|it| match &it.target {
            Target::Symbol(symbol) if !symbol.is_module() => {
                let facts = self.facts(symbol.file);
                facts.def(symbol.def).flags.has(strata_model::facts::DefFlags::OPTIONAL)
            }
            _ => true,
        })
    }

    /// The members of a union in which a member may have a value, or may have another one.
    fn with_tag(&mut self, ty: Ty, name: NameId, tag: &Tag, holds: bool) -> Ty {
        let members = self.types.members(ty);
        if members.len() < 2 {
            return ty;
        }
        let mut kept = Vec::new();
        for member in &members {
            if holds && *member == Types::NULL {
                continue;
            }
            let is_kept = match self.tags_of_member(*member, name) {
                None => true,
                Some(tags) if holds => tags.contains(tag),
                Some(tags) => tags.iter().any(|it| it != tag),
            };
            if is_kept {
                kept.push(*member);
            }
        }
        if kept.is_empty() { ty } else { self.types.join(kept) }
    }

    /// The values that a member of a type is declared to have; none: not known.
    fn tags_of_member(&mut self, ty: Ty, name: NameId) -> Option<Vec<Tag>> {
        for part in self.types.parts(ty) {
            let (TyData::Inst(class, _) | TyData::SelfInst(class)) = self.types.get(part).clone() else {
                continue;
            };
            let members = self.class_members(class, name, false);
            let [symbol] = *members.found.as_slice() else {
                continue;
            };
            if let Some(tags) = self.tags_of_symbol(symbol, 0) {
                return Some(tags);
            }
        }
        None
    }

    fn tags_of_symbol(&mut self, symbol: SymbolRef, depth: u32) -> Option<Vec<Tag>> {
        if depth > LIMIT || symbol.is_module() {
            return None;
        }
        self.look_up_def(symbol);
        let facts = self.facts(symbol.file);
        let def = facts.def(symbol.def);
        if let Some(parent) = def.parent
            && facts.def(parent).kind == NodeKind::Enum
        {
            return Some(vec![Tag::Symbol(symbol)]);
        }
        if let Some(hint) = def.hint {
            return self.tags_of_type(symbol.file, hint, depth + 1);
        }
        match *facts.expr_list(def.values) {
            [value] => self.tags_of_expr(symbol.file, value, depth + 1),
            _ => None,
        }
    }

    fn tags_of_type(&mut self, file: FileIx, ty: TypeId, depth: u32) -> Option<Vec<Tag>> {
        if depth > LIMIT {
            return None;
        }
        let facts = self.facts(file);
        match facts.ty(ty) {
            TypeExpr::TypeOf(expr) => self.tags_of_expr(file, expr, depth + 1),
            TypeExpr::Union(run) => self.tags_of_all(file, run, depth),
            TypeExpr::Name(expr) => {
                let targets = self.entity(file, expr, Namespace::Any);
                for target in targets {
                    let tags = match target {
                        Target::Symbol(symbol) => self.tags_of_symbol(symbol, depth + 1),
                        Target::Binding(file, bind) => self.tags_of_binding(file, bind, depth),
                        _ => None,
                    };
                    if tags.is_some() {
                        return tags;
                    }
                }
                None
            }
            _ => None,
        }
    }

    fn tags_of_all(&mut self, file: FileIx, run: Run, depth: u32) -> Option<Vec<Tag>> {
        let parts = self.facts(file).type_list(run).to_vec();
        let mut all = Vec::new();
        for part in parts {
            all.extend(self.tags_of_type(file, part, depth + 1)?);
        }
        Some(all)
    }

    fn tags_of_binding(&mut self, file: FileIx, bind: strata_model::ids::BindId, depth: u32) -> Option<Vec<Tag>> {
        let facts = self.facts(file);
        match facts.bindings[bind.ix()].source {
            BindSource::Value(expr) => self.tags_of_expr(file, expr, depth + 1),
            _ => None,
        }
    }

    fn tags_of_expr(&mut self, file: FileIx, expr: ExprId, depth: u32) -> Option<Vec<Tag>> {
        if depth > LIMIT {
            return None;
        }
        let facts = self.facts(file);
        match facts.expr(expr) {
            Expr::Lit(literal) => {
                let text = facts.literal_text(expr)?.to_owned();
                Some(vec![Tag::Text(literal, self.names.intern(&text))])
            }
            Expr::Cast(ty) => self.tags_of_type(file, ty, depth + 1),
            Expr::Local(..) | Expr::Member(..) | Expr::Place(..) => {
                let targets = self.entity(file, expr, Namespace::Value);
                let [target] = targets.as_slice() else { return None };
                match target {
                    Target::Symbol(symbol) => {
                        let facts = self.facts(symbol.file);
                        let is_fixed = matches!(facts.def(symbol.def).kind, NodeKind::Constant | NodeKind::Field);
                        if is_fixed {
                            self.tags_of_symbol(*symbol, depth + 1)
                        } else {
                            None
                        }
                    }
                    Target::Binding(file, bind) => self.tags_of_binding(*file, *bind, depth),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The functions among the members of a union, or the others.
    fn functions_of(&mut self, ty: Ty, holds: bool) -> Ty {
        let mut kept = Vec::new();
        for member in self.types.members(ty) {
            let is_function = match self.types.get(member).clone() {
                TyData::Func(_) | TyData::Bound(..) | TyData::FnType(..) | TyData::Class(..) => Some(true),
                TyData::Null | TyData::Tuple(_) | TyData::BuiltinInst(..) => Some(false),
                TyData::Inst(class, _) => {
                    let call = self.names.intern("<call>");
                    let new = self.names.intern("<new>");
                    let can_be_called = !self.class_members(class, call, false).found.is_empty()
                        || !self.class_members(class, new, false).found.is_empty();
                    Some(can_be_called)
                }
                _ => None,
            };
            if is_function.is_none_or(|it| it == holds) {
                kept.push(member);
            }
        }
        if kept.is_empty() { ty } else { self.types.join(kept) }
    }

    /// What a variable of ECMAScript with a declared union is after an assignment: those of its types that the value is of.
    pub(crate) fn assigned_part(&mut self, declared: Val, value: Val) -> Val {
        let members = self.types.members(declared.ty);
        if members.len() < 2 {
            return declared;
        }
        let mut kept = Vec::new();
        for part in self.types.members(value.ty) {
            let fitting: Vec<Ty> = members
                .iter()
                .copied()
                .filter(|it| self.within(part, *it) == crate::narrowing::Within::Yes)
                .collect();
            if fitting.is_empty() {
                return declared;
            }
            kept.extend(fitting);
        }
        let ty = self.types.join(kept);
        if ty == Types::UNKNOWN || ty == Types::NULL {
            return declared;
        }
        Val {
            ty,
            how: declared.how.max(How::Narrow),
            chain: declared.chain,
        }
    }
}
