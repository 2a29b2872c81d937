//! Whole hierarchies of types, in few rows and few queries: some have thousands of types.

use rusqlite::OptionalExtension;
use strata_model::facts::DefFlags;
use strata_model::ids::Position;
use strata_model::kinds::{EdgeKind, NodeKind};
use strata_model::outcome::How;

use super::{coded, collect};
use crate::error::StoreError;
use crate::rows::NodeId;
use crate::store::Store;

/// Both ways of becoming a subtype, as the bits of a set.
const SUBTYPING: u8 = EdgeKind::Extends.code() | EdgeKind::Implements.code();

/// A type names another one as its supertype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Inheritance {
    /// The subtype.
    pub sub: NodeId,
    /// Where the supertype is named: the order of a type's supertypes.
    pub at: Position,
    /// The supertype.
    pub base: NodeId,
}

/// A member without its texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberRow {
    /// The member.
    pub id: NodeId,
    /// What it is a member of.
    pub owner: NodeId,
    /// Kind.
    pub kind: NodeKind,
    /// Bits of [`DefFlags`].
    pub flags: DefFlags,
}

/// A place that names a type, without texts: the node that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UseRow {
    /// The node.
    pub src: NodeId,
    /// Its kind.
    pub kind: NodeKind,
    /// What contains it.
    pub owner: Option<NodeId>,
    /// How the surest of the uses was resolved.
    pub how: How,
}

impl Store {
    /// A type and all types below it, sorted by id.
    pub fn types_below(&self, node: NodeId) -> Result<Vec<NodeId>, StoreError> {
        let sql = "WITH RECURSIVE below (id) AS (
                SELECT ?1 UNION SELECT e.src FROM below b CROSS JOIN edges e ON e.dst = b.id AND e.kind IN (4, 8)
            ) SELECT id FROM below ORDER BY id";
        self.run(|conn| collect(conn.prepare_cached(sql)?, [node.0], |row| Ok(NodeId(row.get(0)?))))
    }

    /// What the types below `node` (itself included) and all types above these name as their supertypes, sorted.
    pub fn inheritance_around(&self, node: NodeId) -> Result<Vec<Inheritance>, StoreError> {
        let sql = "WITH RECURSIVE below (id) AS (
                SELECT ?1 UNION SELECT e.src FROM below b CROSS JOIN edges e ON e.dst = b.id AND e.kind IN (4, 8)
            ), around (id) AS (
                SELECT id FROM below
                UNION SELECT e.dst FROM around a CROSS JOIN edges e ON e.src = a.id AND e.kind IN (4, 8)
            )
            SELECT e.src, e.line, e.col, e.dst FROM around a CROSS JOIN edges e ON e.src = a.id AND e.kind IN (4, 8)";
        let mut found = self.run(|conn| {
            collect(conn.prepare_cached(sql)?, [node.0], |row| {
                Ok(Inheritance {
                    sub: NodeId(row.get(0)?),
                    at: Position {
                        line: row.get(1)?,
                        column: row.get(2)?,
                    },
                    base: NodeId(row.get(3)?),
                })
            })
        })?;
        found.sort_unstable();
        Ok(found)
    }

    /// Every symbol with this name that is a member of something, by owner and source order.
    pub fn members_named(&self, name: &str) -> Result<Vec<MemberRow>, StoreError> {
        let sql = "SELECT id, parent_id, kind, flags FROM nodes
            WHERE name = ?1 COLLATE NOCASE AND name = ?1 COLLATE BINARY AND level = 3 AND parent_id IS NOT NULL
            ORDER BY parent_id, start_byte, id";
        self.run(|conn| collect(conn.prepare_cached(sql)?, [name], read_member))
    }

    /// Every member that overrides this one, itself or through others, sorted by id.
    pub fn overriders_below(&self, member: NodeId) -> Result<Vec<MemberRow>, StoreError> {
        let sql = "WITH RECURSIVE below (id) AS (
                SELECT ?1 UNION SELECT e.src FROM below b CROSS JOIN edges e ON e.dst = b.id AND e.kind = 32
            )
            SELECT n.id, n.parent_id, n.kind, n.flags FROM below b CROSS JOIN nodes n ON n.id = b.id
            WHERE n.id <> ?1 AND n.parent_id IS NOT NULL ORDER BY n.id";
        self.run(|conn| collect(conn.prepare_cached(sql)?, [member.0], read_member))
    }

    /// Every member that this one overrides, itself or through others, sorted by id.
    pub fn overridden_above(&self, member: NodeId) -> Result<Vec<MemberRow>, StoreError> {
        let sql = "WITH RECURSIVE above (id) AS (
                SELECT ?1 UNION SELECT e.dst FROM above a CROSS JOIN edges e ON e.src = a.id AND e.kind = 32
            )
            SELECT n.id, n.parent_id, n.kind, n.flags FROM above a CROSS JOIN nodes n ON n.id = a.id
            WHERE n.id <> ?1 AND n.parent_id IS NOT NULL ORDER BY n.id";
        self.run(|conn| collect(conn.prepare_cached(sql)?, [member.0], read_member))
    }

    /// The members of a node, in source order, without texts.
    pub fn member_rows(&self, owner: NodeId) -> Result<Vec<MemberRow>, StoreError> {
        let sql = "SELECT id, parent_id, kind, flags FROM nodes WHERE parent_id = ?1 ORDER BY start_byte, id";
        self.run(|conn| collect(conn.prepare_cached(sql)?, [owner.0], read_member))
    }

    /// Kind and flags of a node.
    pub fn kind_of(&self, node: NodeId) -> Result<Option<(NodeKind, DefFlags)>, StoreError> {
        let sql = "SELECT kind, flags FROM nodes WHERE id = ?1";
        self.run(|conn| {
            conn.prepare_cached(sql)?
                .query_row([node.0], |row| {
                    Ok((coded(row, 0, NodeKind::from_code)?, DefFlags(row.get(1)?)))
                })
                .optional()
        })
    }

    /// Who makes an instance of a class: the edges of calls to it and to the constructors that it declares.
    pub fn makers(&self, class: NodeId) -> Result<Vec<UseRow>, StoreError> {
        let sql = "SELECT e.src, n.kind, n.parent_id, e.how
            FROM (SELECT ?1 AS id UNION ALL SELECT id FROM nodes WHERE parent_id = ?1 AND kind = ?2) made
            CROSS JOIN edges e ON e.dst = made.id AND e.kind = 2
            CROSS JOIN nodes n ON n.id = e.src";
        self.run(|conn| {
            collect(
                conn.prepare_cached(sql)?,
                (class.0, NodeKind::Constructor.code()),
                |row| {
                    Ok(UseRow {
                        src: NodeId(row.get(0)?),
                        kind: coded(row, 1, NodeKind::from_code)?,
                        owner: row.get::<_, Option<u32>>(2)?.map(NodeId),
                        how: coded(row, 3, How::from_code)?,
                    })
                },
            )
        })
    }

    /// True when something mentions the class other than by inheriting from it: imports it, or hands it on as a value.
    pub fn is_mentioned(&self, class: NodeId) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM edges WHERE dst = ?1 AND kind & ?2 = 0)";
        self.run(|conn| {
            conn.prepare_cached(sql)?
                .query_row((class.0, SUBTYPING), |row| row.get(0))
        })
    }
}

fn read_member(row: &rusqlite::Row<'_>) -> rusqlite::Result<MemberRow> {
    Ok(MemberRow {
        id: NodeId(row.get(0)?),
        owner: NodeId(row.get(1)?),
        kind: coded(row, 2, NodeKind::from_code)?,
        flags: DefFlags(row.get(3)?),
    })
}
