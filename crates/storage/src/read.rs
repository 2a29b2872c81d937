//! Reads: methods of [`Store`](crate::Store), by what they return.

pub(crate) mod counts;
mod edges;
mod files;
pub(crate) mod fulltext;
pub(crate) mod hierarchy;
mod links;
pub(crate) mod nodes;

use rusqlite::types::Type;
use rusqlite::{CachedStatement, Params, Row};

/// Collects the rows of a statement.
fn collect<T>(
    mut statement: CachedStatement<'_>,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    let mut rows = statement.query(params)?;
    let mut out = Vec::new();
    while let Some(row) = rows.next()? {
        out.push(read(row)?);
    }
    Ok(out)
}

/// Reads a column that holds the number of an enum's member.
fn coded<T>(row: &Row<'_>, ix: usize, member: impl Fn(u8) -> Option<T>) -> rusqlite::Result<T> {
    member(row.get(ix)?).ok_or_else(|| unreadable(ix, "a number that stands for nothing"))
}

/// A column does not hold what this program writes into it.
fn unreadable(ix: usize, what: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(ix, Type::Null, what.into())
}
