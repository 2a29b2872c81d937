//! Names and other strings of the whole program, interned.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// An interned string of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct NameId(u32);

/// The table of strings.
#[derive(Default)]
pub(crate) struct Names {
    texts: Vec<Rc<str>>,
    by_text: FxHashMap<Rc<str>, NameId>,
}

impl Names {
    pub(crate) fn intern(&mut self, text: &str) -> NameId {
        if let Some(id) = self.by_text.get(text) {
            return *id;
        }
        let id = NameId(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        let text: Rc<str> = text.into();
        self.texts.push(Rc::clone(&text));
        self.by_text.insert(text, id);
        id
    }

    pub(crate) fn text(&self, id: NameId) -> Rc<str> {
        Rc::clone(&self.texts[id.0 as usize])
    }
}
