//! Which bindings reach a use: an approximation of data flow by structured control flow alone.
//!
//! Regions form a tree: branches' arms, loops, function bodies. A binding *dominates* a use when its region encloses the
//! use and it comes first; then nothing before it reaches the use. A binding in a finished arm *may* reach it. Arms of
//! one branching exclude each other. What a loop binds further down reaches the loop's top again.

use strata_model::ids::{BindId, RegionId};

/// Most bindings that a use is said to mean, closest first. Nothing is concluded from a name that may be as many things,
/// and a generated file of thousands of them must not cost their square.
const MAX_REACHING: usize = 64;

/// Why a region ends before its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Jump {
    /// `return`, `raise`, `throw`.
    Exit,
    /// `break`, `continue`.
    Loop,
}

/// Kind of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RegionKind {
    /// The file or a function's body.
    Body,
    /// A loop's body.
    Loop,
    /// One of several alternatives; `is_try` for the protected part, which comes before its handlers.
    Arm { group: u32, is_try: bool },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) parent: Option<RegionId>,
    pub(crate) depth: u32,
    pub(crate) kind: RegionKind,
    pub(crate) jump: Option<Jump>,
}

/// One branching: its number of arms, and whether one of them is always taken.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Group {
    pub(crate) arms: u32,
    pub(crate) exited_arms: u32,
    pub(crate) is_exhaustive: bool,
}

/// A binding as the flow sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowBinding {
    pub(crate) bind: BindId,
    pub(crate) region: RegionId,
    pub(crate) at: u32,
    pub(crate) namespace: u8,
    pub(crate) is_narrowing: bool,
    pub(crate) is_def: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Flow {
    pub(crate) regions: Vec<Region>,
    pub(crate) groups: Vec<Group>,
}

impl Flow {
    fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.ix()]
    }

    /// True when `outer` is `inner` or encloses it.
    fn encloses(&self, outer: RegionId, inner: RegionId) -> bool {
        let depth = self.region(outer).depth;
        let mut at = inner;
        while self.region(at).depth > depth {
            let Some(parent) = self.region(at).parent else {
                return false;
            };
            at = parent;
        }
        at == outer
    }

    /// The two branches in which `a` and `b` hang below their closest common region (a region stands for itself when it
    /// encloses the other).
    fn fork(&self, a: RegionId, b: RegionId) -> (RegionId, RegionId, RegionId) {
        let (mut a, mut b) = (a, b);
        let (mut below_a, mut below_b) = (a, b);
        while a != b {
            if self.region(a).depth >= self.region(b).depth {
                below_a = a;
                match self.region(a).parent {
                    Some(parent) => a = parent,
                    None => break,
                }
            } else {
                below_b = b;
                match self.region(b).parent {
                    Some(parent) => b = parent,
                    None => break,
                }
            }
        }
        (a, below_a, below_b)
    }

    /// The body of the function (or the file) that a region is in.
    pub(crate) fn body_around(&self, region: RegionId) -> RegionId {
        let mut at = region;
        while self.region(at).kind != RegionKind::Body {
            match self.region(at).parent {
                Some(parent) => at = parent,
                None => return at,
            }
        }
        at
    }

    fn loop_around(&self, region: RegionId) -> Option<RegionId> {
        let mut at = Some(region);
        while let Some(id) = at {
            match self.region(id).kind {
                RegionKind::Loop => return Some(id),
                RegionKind::Body => return None,
                RegionKind::Arm { .. } => at = self.region(id).parent,
            }
        }
        None
    }

    /// True when control cannot get from `from` (below `top`, which hangs directly below the common region) to a use in
    /// `to`, because a part in between ends by a jump.
    fn is_cut_off(&self, from: RegionId, top: RegionId, to: RegionId) -> bool {
        let mut at = from;
        loop {
            match self.region(at).jump {
                // What a function binds elsewhere (`global`) is there after it has returned.
                Some(Jump::Exit) => return !self.leaves_body(at, top),
                Some(Jump::Loop) if self.loop_around(at).is_some_and(|around| self.encloses(around, to)) => {
                    return true;
                }
                Some(Jump::Loop) | None => {}
            }
            if at == top {
                return false;
            }
            match self.region(at).parent {
                Some(parent) => at = parent,
                None => return false,
            }
        }
    }

    /// True when a function's body ends on the way from `from` up to `top`.
    fn leaves_body(&self, from: RegionId, top: RegionId) -> bool {
        let mut at = from;
        loop {
            match (self.region(at).kind, self.region(at).parent) {
                (RegionKind::Body, _) => return true,
                (_, Some(parent)) if at != top => at = parent,
                _ => return false,
            }
        }
    }

    /// The bindings of one name in one scope (in order) that reach a use in `region` at time `at`.
    pub(crate) fn reaching(
        &self,
        bindings: &[FlowBinding],
        region: RegionId,
        at: u32,
        namespace: u8,
        defs_merge: bool,
        out: &mut Vec<BindId>,
    ) {
        let mut killer: Option<RegionId> = None;
        let mut satisfied: Vec<(u32, RegionId)> = Vec::new();
        for binding in bindings.iter().rev() {
            if out.len() >= MAX_REACHING {
                out.sort();
                return;
            }
            if binding.at >= at || binding.namespace & namespace == 0 {
                continue;
            }
            if self.encloses(binding.region, region) {
                if defs_merge && binding.is_def {
                    out.clear();
                    out.extend(
                        bindings
                            .iter()
                            .filter(|it| it.is_def && it.namespace & namespace != 0)
                            .map(|it| it.bind),
                    );
                } else {
                    out.push(binding.bind);
                }
                killer = Some(binding.region);
                break;
            }
            if binding.is_narrowing {
                continue;
            }
            let (common, below_binding, below_use) = self.fork(binding.region, region);
            let kind = self.region(below_binding).kind;
            if let (
                RegionKind::Arm { group, is_try },
                RegionKind::Arm {
                    group: use_group,
                    is_try: use_is_try,
                },
                true,
            ) = (
                kind,
                self.region(below_use).kind,
                below_use != below_binding && below_use != common,
            ) && group == use_group
                && !is_try
                && !use_is_try
            {
                continue;
            }
            if self.is_cut_off(binding.region, below_binding, region) {
                continue;
            }
            out.push(binding.bind);
            if let RegionKind::Arm { group, .. } = kind
                && binding.region == below_binding
                && !satisfied.contains(&(group, below_binding))
            {
                satisfied.push((group, below_binding));
                let state = self.groups[group as usize];
                let n_satisfied = satisfied.iter().filter(|(it, _)| *it == group).count();
                let is_open = matches!(self.region(below_use).kind, RegionKind::Arm { group: it, .. } if it == group);
                if state.is_exhaustive && !is_open && n_satisfied as u32 + state.exited_arms >= state.arms {
                    killer = Some(common);
                    break;
                }
            }
        }
        self.add_from_later_in_loops(bindings, region, at, namespace, killer, out);
        out.sort();
        out.dedup();
    }

    fn add_from_later_in_loops(
        &self,
        bindings: &[FlowBinding],
        region: RegionId,
        at: u32,
        namespace: u8,
        killer: Option<RegionId>,
        out: &mut Vec<BindId>,
    ) {
        if !bindings.iter().any(|binding| binding.at >= at) {
            return;
        }
        let mut around = self.loop_around(region);
        while let Some(loop_region) = around {
            if out.len() >= MAX_REACHING {
                return;
            }
            if killer.is_some_and(|killer| self.encloses(loop_region, killer)) {
                return;
            }
            out.extend(
                bindings
                    .iter()
                    .filter(|it| {
                        it.at >= at
                            && !it.is_narrowing
                            && it.namespace & namespace != 0
                            && self.encloses(loop_region, it.region)
                    })
                    .map(|it| it.bind)
                    .take(MAX_REACHING),
            );
            around = self
                .region(loop_region)
                .parent
                .and_then(|parent| self.loop_around(parent));
        }
    }
}
