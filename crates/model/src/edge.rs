//! What is known of an edge besides its kind.

/// Properties of an edge, as bits. An edge stands for all places of one kind between two symbols; each bit says how those
/// places are taken together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeFlags(pub u8);

impl EdgeFlags {
    /// At some place the class of the receiver decides which method runs: the target is what is declared.
    pub const VIRTUAL: Self = Self(1);
    /// At every place the receiver is known to be of exactly its class: made by a constructor or written as a literal.
    pub const RECV_EXACT: Self = Self(1 << 1);
    /// At some place the receiver is `super`: what comes after the class in the order of ancestors of the instance.
    pub const SUPER: Self = Self(1 << 2);
    /// At some place a framework is handed the target to call it.
    pub const REGISTERS: Self = Self(1 << 3);

    /// The bits that every place has to have; the others are set by one.
    const OF_ALL: u8 = Self::RECV_EXACT.0;

    /// True when every bit of `other` is set.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets of bits.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The bits of an edge that stands for the places of both.
    #[must_use]
    pub const fn merged(self, other: Self) -> Self {
        Self(((self.0 | other.0) & !Self::OF_ALL) | (self.0 & other.0 & Self::OF_ALL))
    }

    /// The word that says what the edge is, where its kind does not.
    #[must_use]
    pub const fn label(self) -> Option<&'static str> {
        if self.has(Self::REGISTERS) {
            Some("registers")
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EdgeFlags;

    #[test]
    fn one_place_of_unknown_receiver_makes_the_edge_inexact() {
        let exact = EdgeFlags::RECV_EXACT;
        assert_eq!(exact.merged(exact), exact);
        assert_eq!(exact.merged(EdgeFlags::VIRTUAL), EdgeFlags::VIRTUAL);
        assert_eq!(
            EdgeFlags::SUPER.merged(EdgeFlags::VIRTUAL),
            EdgeFlags::VIRTUAL.with(EdgeFlags::SUPER)
        );
    }
}
