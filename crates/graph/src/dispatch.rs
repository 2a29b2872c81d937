//! Which members may run where a declared one is called, and which calls of declared members may reach one that overrides
//! them.
//!
//! An edge leads to what is declared for the receiver's type. What runs is worked out here, when somebody asks: for every
//! class at or below the receiver's type, the member that its order of ancestors gives (class-hierarchy analysis), as far
//! as instances of the class are made (rapid type analysis). So an answer follows the code as it is now, whatever file was
//! edited, and no edge is doubtful because of a subclass somewhere.
//!
//! ```text
//! def draw(shape: Shape): shape.area()     declared Shape.area; dispatch: Disc.area, Square.area
//! Disc().area()                            declared Disc.area; exact, nothing to dispatch
//! ```

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use strata_model::edge::EdgeFlags;
use strata_model::facts::DefFlags;
use strata_model::kinds::NodeKind;
use strata_model::outcome::How;
use strata_storage::{EdgeKinds, EdgeRow, LinkedNode, MemberRow, NodeId, NodeRow, Store, StoreError};

use crate::relation::{Relation, ranked};
use crate::structure::structural;

/// How sure it is that a member may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// The root makes an instance of a class that has it.
    Made,
    /// No such instance is made in the root, but somebody else may make one: the class is public or handed on.
    Maybe,
    /// The class does not name the interface as its supertype, but has its members.
    Structural,
}

impl Certainty {
    /// The word that is shown.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Made => "made",
            Self::Maybe => "maybe",
            Self::Structural => "structural",
        }
    }
}

/// A member that may run.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The member.
    pub node: NodeRow,
    /// How sure that is.
    pub certainty: Certainty,
}

/// What may run where a member is called, besides the member itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dispatch {
    /// All candidates: the surest first, then by FQN.
    pub candidates: Vec<Candidate>,
    /// True when the receiver is known to be of exactly its class, so that there is nothing to choose.
    pub is_exact: bool,
    /// True when the member has no implementation of its own and the root has exactly one.
    pub is_sole: bool,
}

/// A caller of a declared member whose call may reach the one that overrides it.
#[derive(Clone, Debug, PartialEq)]
pub struct ViaDispatch {
    /// The caller.
    pub relation: Relation,
    /// The declared member that it calls.
    pub via: NodeRow,
}

/// What may run where an edge leads to a member: the members that stand in for it in the classes at or below the
/// receiver's.
pub fn dispatch(store: &Store, link: &LinkedNode) -> Result<Dispatch, StoreError> {
    let EdgeRow { flags, receiver, .. } = link.edge;
    if !flags.has(EdgeFlags::VIRTUAL) && !flags.has(EdgeFlags::SUPER) {
        return Ok(Dispatch {
            is_exact: flags.has(EdgeFlags::RECV_EXACT),
            ..Dispatch::default()
        });
    }
    let Some(owner) = link.node.parent_id else {
        return Ok(Dispatch::default());
    };
    let is_super = !flags.has(EdgeFlags::VIRTUAL);
    candidates(store, &link.node, receiver.unwrap_or(owner), is_super)
}

/// What may run where a member is called on a receiver of which nothing but the member's own class is known.
pub fn implementations(store: &Store, member: &NodeRow) -> Result<Dispatch, StoreError> {
    match member.parent_id {
        Some(owner) if is_dispatched(member.kind) => candidates(store, member, owner, false),
        _ => Ok(Dispatch::default()),
    }
}

/// The callers of the members that `member` overrides whose calls may reach it: those with the most calls first, then by
/// FQN. A caller whose receiver is of exactly another class, or of a class that never has this member, is none.
pub fn callers_via_dispatch(store: &Store, member: &NodeRow) -> Result<Vec<ViaDispatch>, StoreError> {
    let Some(owner) = member.parent_id.filter(|_| is_dispatched(member.kind)) else {
        return Ok(Vec::new());
    };
    let declared = store.overridden_above(member.id)?;
    if declared.is_empty() {
        return Ok(Vec::new());
    }
    let mut classes = Classes::around(store, owner, member)?;
    let having: Vec<NodeId> = classes
        .below
        .clone()
        .into_iter()
        .filter(|class| classes.member(*class) == Some(member.id))
        .collect();
    let mut above: FxHashSet<NodeId> = FxHashSet::default();
    for class in &having {
        above.extend(classes.order(*class).iter().copied());
    }
    let below = classes.below.clone();
    let mut out = Vec::new();
    for row in declared {
        let mut links = store.edges_in(row.id, EdgeKinds::CALLS)?;
        links.retain(|link| {
            let receiver = link.edge.receiver.unwrap_or(row.owner);
            let is_literal = having.is_empty() && receiver == row.owner;
            (link.edge.flags.has(EdgeFlags::VIRTUAL) && (above.contains(&receiver) || is_literal))
                || (link.edge.flags.has(EdgeFlags::SUPER)
                    && below
                        .iter()
                        .any(|class| classes.member_after(*class, receiver) == Some(member.id)))
        });
        if links.is_empty() {
            continue;
        }
        let Some(via) = store.node(row.id)? else { continue };
        out.extend(ranked(links).into_iter().map(|relation| ViaDispatch {
            relation,
            via: via.clone(),
        }));
    }
    out.sort_by(|a, b| {
        let key = |it: &ViaDispatch| (std::cmp::Reverse(it.relation.sites), it.relation.node.id);
        (key(a).0, &a.relation.node.fqn, &a.via.fqn).cmp(&(key(b).0, &b.relation.node.fqn, &b.via.fqn))
    });
    Ok(out)
}

const fn is_dispatched(kind: NodeKind) -> bool {
    kind.is_callable() || matches!(kind, NodeKind::Property)
}

fn candidates(store: &Store, member: &NodeRow, receiver: NodeId, is_super: bool) -> Result<Dispatch, StoreError> {
    let mut classes = Classes::around(store, receiver, member)?;
    let mut found: FxHashMap<NodeId, Certainty> = FxHashMap::default();
    for class in classes.below.clone() {
        let runs = if is_super {
            classes.member_after(class, receiver)
        } else {
            classes.member(class)
        };
        let Some(runs) = runs.filter(|runs| *runs != member.id) else {
            continue;
        };
        if found.get(&runs) == Some(&Certainty::Made) || !classes.is_implemented(store, runs)? {
            continue;
        }
        if let Some(certainty) = certainty(store, class, &classes)? {
            found.insert(runs, certainty);
        }
    }
    if !is_super {
        // Object literals are no classes of the hierarchy; they say by their place what they stand for.
        for row in store.overriders_below(member.id)? {
            if !is_type(store, row.owner)? {
                found.entry(row.id).or_insert(Certainty::Made);
            }
        }
        for id in structural(store, member)? {
            found.entry(id).or_insert(Certainty::Structural);
        }
    }
    let ids: Vec<NodeId> = found
        .keys()
        .copied()
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    let mut candidates: Vec<Candidate> = store
        .nodes(&ids)?
        .into_iter()
        .map(|node| Candidate {
            certainty: found[&node.id],
            node,
        })
        .collect();
    candidates.sort_by(|a, b| (a.certainty, &a.node.fqn).cmp(&(b.certainty, &b.node.fqn)));
    let is_sole = candidates.len() == 1 && !classes.is_implemented(store, member.id)?;
    Ok(Dispatch {
        candidates,
        is_exact: false,
        is_sole,
    })
}

/// Whether instances of a class exist; none when nobody can make one.
fn certainty(store: &Store, class: NodeId, classes: &Classes) -> Result<Option<Certainty>, StoreError> {
    let Some((kind, flags)) = store.kind_of(class)? else {
        return Ok(None);
    };
    let is_abstract = flags.has(DefFlags::ABSTRACT) || (kind == NodeKind::Interface && classes.is_ecmascript);
    if is_abstract {
        return Ok(None);
    }
    // The constructor of a subclass calls this one for its own instance.
    let makes = |it: &strata_storage::UseRow| {
        let is_heir = it
            .owner
            .is_some_and(|owner| owner != class && classes.is_below(owner, class));
        it.how != How::Super && !(it.kind == NodeKind::Constructor && is_heir)
    };
    if store.makers(class)?.iter().any(makes) {
        return Ok(Some(Certainty::Made));
    }
    let is_hidden = flags.has(DefFlags::PRIVATE) || flags.has(DefFlags::LOCAL);
    let may_be_made = !is_hidden || store.is_mentioned(class)?;
    Ok(may_be_made.then_some(Certainty::Maybe))
}

/// The classes around one: those at or below it, and all that they inherit from.
struct Classes {
    /// The class and those below it, sorted.
    below: Vec<NodeId>,
    bases: FxHashMap<NodeId, Vec<NodeId>>,
    /// The member of the name in question that a class declares itself.
    own: FxHashMap<NodeId, MemberRow>,
    orders: FxHashMap<NodeId, Rc<[NodeId]>>,
    is_ecmascript: bool,
}

impl Classes {
    fn around(store: &Store, class: NodeId, member: &NodeRow) -> Result<Self, StoreError> {
        let below = store.types_below(class)?;
        let mut bases: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        let mut known: FxHashSet<NodeId> = below.iter().copied().collect();
        for it in store.inheritance_around(class)? {
            let bases = bases.entry(it.sub).or_default();
            if !bases.contains(&it.base) {
                bases.push(it.base);
            }
            known.insert(it.base);
        }
        let mut own: FxHashMap<NodeId, MemberRow> = FxHashMap::default();
        for row in store.members_named(&member.name)? {
            let is_one = !row.flags.has(DefFlags::SETTER) && (is_dispatched(row.kind) || row.kind == NodeKind::Field);
            if !is_one || !known.contains(&row.owner) {
                continue;
            }
            // A signature gives way to its implementation, and a later definition replaces an earlier one.
            match own.get(&row.owner) {
                Some(_) if row.flags.has(DefFlags::OVERLOAD) => {}
                _ => {
                    own.insert(row.owner, row);
                }
            }
        }
        Ok(Self {
            below,
            bases,
            own,
            orders: FxHashMap::default(),
            is_ecmascript: member.language != "python",
        })
    }

    fn is_below(&self, class: NodeId, base: NodeId) -> bool {
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut open = vec![class];
        while let Some(class) = open.pop() {
            if class == base {
                return true;
            }
            if seen.insert(class) {
                open.extend(self.bases.get(&class).into_iter().flatten());
            }
        }
        false
    }

    /// The member that an instance of the class has.
    fn member(&mut self, class: NodeId) -> Option<NodeId> {
        if let Some(own) = self.own.get(&class) {
            return Some(own.id);
        }
        let order = self.order(class);
        order.iter().find_map(|it| self.own.get(it)).map(|row| row.id)
    }

    /// The member that `super` in `from` gives for an instance of the class.
    fn member_after(&mut self, class: NodeId, from: NodeId) -> Option<NodeId> {
        let order = self.order(class);
        let at = order.iter().position(|it| *it == from)?;
        order[at + 1..].iter().find_map(|it| self.own.get(it)).map(|row| row.id)
    }

    /// False for what only declares: an abstract method, a member of an interface that is erased.
    fn is_implemented(&self, store: &Store, member: NodeId) -> Result<bool, StoreError> {
        let Some(row) = self.own.values().find(|row| row.id == member) else {
            return Ok(true);
        };
        if row.flags.has(DefFlags::ABSTRACT) {
            return Ok(false);
        }
        let Some((NodeKind::Interface, _)) = store.kind_of(row.owner)? else {
            return Ok(true);
        };
        Ok(!self.is_ecmascript && !crate::structure::is_protocol(store, row.owner)?)
    }

    /// A class and its ancestors in the order in which members are looked for.
    fn order(&mut self, class: NodeId) -> Rc<[NodeId]> {
        if let Some(order) = self.orders.get(&class) {
            return Rc::clone(order);
        }
        // Met again below itself, a class is alone: broken code comes to an end.
        self.orders.insert(class, Rc::from([class]));
        let bases = self.bases.get(&class).cloned().unwrap_or_default();
        let mut sequences: Vec<Vec<NodeId>> = bases.iter().map(|base| self.order(*base).to_vec()).collect();
        let rest = if self.is_ecmascript {
            in_order(&sequences)
        } else {
            sequences.push(bases);
            merged(sequences)
        };
        let order: Rc<[NodeId]> = std::iter::once(class)
            .chain(rest.into_iter().filter(|it| *it != class))
            .collect();
        self.orders.insert(class, Rc::clone(&order));
        order
    }
}

/// True for types, and for what is gone.
fn is_type(store: &Store, owner: NodeId) -> Result<bool, StoreError> {
    Ok(store.kind_of(owner)?.is_none_or(|(kind, _)| kind.is_type()))
}

/// C3: the first head that stands behind no other, again and again; left to right where there is none.
fn merged(sequences: Vec<Vec<NodeId>>) -> Vec<NodeId> {
    let mut open = sequences.clone();
    let mut out = Vec::new();
    loop {
        open.retain(|sequence| !sequence.is_empty());
        if open.is_empty() {
            return out;
        }
        let is_behind = |head: NodeId| open.iter().any(|sequence| sequence[1..].contains(&head));
        let Some(next) = open.iter().map(|sequence| sequence[0]).find(|head| !is_behind(*head)) else {
            return in_order(&sequences);
        };
        for sequence in &mut open {
            if sequence[0] == next {
                sequence.remove(0);
            }
        }
        out.push(next);
    }
}

fn in_order(sequences: &[Vec<NodeId>]) -> Vec<NodeId> {
    let mut out = Vec::new();
    for id in sequences.iter().flatten() {
        if !out.contains(id) {
            out.push(*id);
        }
    }
    out
}
