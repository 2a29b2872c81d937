//! The texts of nodes in the full-text index.
//!
//! The index has its content elsewhere: to take a text out it must be given the very words that were put in. They are cut
//! from the stored columns again, so those must still be what they were when the text went in.

use rusqlite::{Connection, params};
use strata_model::tokens::for_each_token;

/// Number of texts and tokens in the index.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    pub(super) texts: u64,
    pub(super) tokens: u64,
}

/// The columns of a node that are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Text<'a> {
    pub(super) name: &'a str,
    pub(super) signature: &'a str,
    pub(super) doc: Option<&'a str>,
    pub(super) fqn: &'a str,
}

impl Totals {
    pub(super) fn add(&mut self, conn: &Connection, id: u32, text: &Text<'_>) -> rusqlite::Result<()> {
        let words = Words::of(text);
        conn.prepare_cached(
            "INSERT INTO symbols_fts (rowid, name, signature, docstring, fqn) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![id, words.name, words.signature, words.doc, words.fqn])?;
        self.texts += 1;
        self.tokens += words.count;
        Ok(())
    }

    pub(super) fn remove(&mut self, conn: &Connection, id: u32, text: &Text<'_>) -> rusqlite::Result<()> {
        let words = Words::of(text);
        conn.prepare_cached(
            "INSERT INTO symbols_fts (symbols_fts, rowid, name, signature, docstring, fqn)
             VALUES ('delete', ?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![id, words.name, words.signature, words.doc, words.fqn])?;
        self.texts = self.texts.saturating_sub(1);
        self.tokens = self.tokens.saturating_sub(words.count);
        Ok(())
    }
}

struct Words {
    name: String,
    signature: String,
    doc: String,
    fqn: String,
    count: u64,
}

impl Words {
    fn of(text: &Text<'_>) -> Self {
        let mut count = 0;
        let mut words = |text: &str| {
            let mut out = String::with_capacity(text.len() + text.len() / 2);
            for_each_token(text, |token| {
                if !out.is_empty() {
                    out.push(' ');
                }
                out.push_str(token);
                count += 1;
            });
            out
        };
        let (name, signature) = (words(text.name), words(text.signature));
        let (doc, fqn) = (words(text.doc.unwrap_or_default()), words(text.fqn));
        Self {
            name,
            signature,
            doc,
            fqn,
            count,
        }
    }
}
