//! What a function was found to give, written so that two states of a root can be compared.
//!
//! The key of a function's body stands for the shapes of what it returns. Most edits of such shapes leave the *type* of
//! the result alone, and then nobody who asked for it has to be linked again. [`Program::result`] gives that type as a
//! text in which definitions are named by their place, so it is the same text in every state that has the same result.

use std::fmt::Write as _;

use strata_lang::SpecTarget;
use strata_model::facts::FileFacts;
use strata_model::ids::{DefId, FileIx, SymbolRef};

use crate::keys::{body_key, def_hashes, hash_text};
use crate::program::Program;
use crate::types::{Ty, TyData};

/// Stands for "owned by no file" where keys of every file are wanted.
const EVERY_FILE: FileIx = FileIx(u32::MAX - 1);

/// The result of a function in one state of the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionResult {
    /// Type, rule and length of the chain; equal texts mean equal results.
    pub text: String,
    /// Every key that the result rests on; sorted, without duplicates.
    pub keys: Vec<u64>,
}

/// The key of each definition's body, whether or not the body returns anything, with the definition.
#[must_use]
pub fn body_keys(path: &str, facts: &FileFacts) -> Vec<(u64, DefId)> {
    let path_hash = hash_text(path);
    def_hashes(facts)
        .into_iter()
        .zip(0..)
        .map(|(hash, ix)| (body_key(path_hash, hash), DefId(ix)))
        .collect()
}

impl Program<'_> {
    /// What calling the function gives, as those who ask for it see it.
    pub fn result(&mut self, file: FileIx, def: DefId) -> FunctionResult {
        self.memo.take_keys(EVERY_FILE);
        self.ask_for(file);
        let value = self.result_of(SymbolRef { file, def });
        let mut text = format!("{} {} ", value.how.name(), value.chain);
        self.write_type(value.ty, &mut text);
        FunctionResult {
            text,
            keys: self.memo.take_keys(EVERY_FILE),
        }
    }

    pub(crate) fn write_type(&mut self, ty: Ty, out: &mut String) {
        match self.types.get(ty).clone() {
            TyData::Unknown => out.push('?'),
            TyData::Null => out.push_str("null"),
            TyData::Dynamic => out.push_str("dynamic"),
            TyData::SelfHole => out.push_str("self"),
            TyData::Inst(symbol, args) => self.write_symbol("instance", symbol, &args, out),
            TyData::Class(symbol, args) => self.write_symbol("class", symbol, &args, out),
            TyData::SelfInst(symbol) => self.write_symbol("self-instance", symbol, &[], out),
            TyData::SelfClass(symbol) => self.write_symbol("self-class", symbol, &[], out),
            TyData::Func(symbol) => self.write_symbol("function", symbol, &[], out),
            TyData::Bound(symbol, receiver) => self.write_symbol("bound", symbol, &[receiver], out),
            TyData::Super(symbol, is_static) => {
                let word = if is_static { "super-class" } else { "super" };
                self.write_symbol(word, symbol, &[], out);
            }
            TyData::Var(symbol, index) => {
                self.write_symbol("variable", symbol, &[], out);
                let _ = write!(out, "#{index}");
            }
            TyData::ClassOf(of) => self.write_named("class-of", "", &[of], out),
            TyData::Made(by) => self.write_named("made-by", "", &[by], out),
            TyData::Module(file) => self.write_symbol("module", SymbolRef::module(file), &[], out),
            TyData::Folders(number) => {
                out.push_str("folders");
                if let SpecTarget::Folders(folders) = &self.folders[number as usize] {
                    let _ = write!(out, "{folders:?}");
                }
            }
            TyData::Ext(path, args) => {
                let path = self.names.text(path);
                self.write_named("external", &path, &args, out);
            }
            TyData::Builtin(name, args) => {
                let name = self.names.text(name);
                self.write_named("builtin", &name, &args, out);
            }
            TyData::BuiltinInst(name, args) => {
                let name = self.names.text(name);
                self.write_named("builtin-instance", &name, &args, out);
            }
            TyData::BuiltinMember(of, name) => {
                let name = self.names.text(name);
                self.write_named("builtin-member", &name, &[of], out);
            }
            TyData::Indexed(of, name) => {
                let name = self.names.text(name);
                self.write_named("indexed", &name, &[of], out);
            }
            TyData::Tuple(items) => self.write_named("tuple", "", &items, out),
            TyData::Union(members) => self.write_named("union", "", &members, out),
            TyData::Intersection(parts) => self.write_named("intersection", "", &parts, out),
            TyData::FnType(params, result) => {
                self.write_named("function-type", "", &params, out);
                self.write_type(result, out);
            }
        }
    }

    fn write_symbol(&mut self, word: &str, symbol: SymbolRef, args: &[Ty], out: &mut String) {
        let file = self.file(symbol.file);
        let place = if symbol.is_module() {
            0
        } else {
            file.def_hash(symbol.def)
        };
        let name = format!("{:x}.{place:x}", file.path_hash);
        self.write_named(word, &name, args, out);
    }

    fn write_named(&mut self, word: &str, name: &str, args: &[Ty], out: &mut String) {
        let _ = write!(out, "{word}:{name}");
        out.push('[');
        for arg in args {
            self.write_type(*arg, out);
            out.push(',');
        }
        out.push(']');
    }
}
