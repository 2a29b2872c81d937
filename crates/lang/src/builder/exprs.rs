//! Expression shapes and types.

use strata_model::facts::{Arg, Expr, TypeExpr};
use strata_model::ids::{ExprId, Run, TypeId};

use super::{FactsBuilder, PendingUse, VALUE, count};

impl FactsBuilder<'_> {
    /// A mention of a name as a value, here and now.
    pub fn name(&mut self, name: &str) -> ExprId {
        self.name_in(name, VALUE)
    }

    /// A mention of a name in the given namespaces.
    pub fn name_in(&mut self, name: &str, namespace: u8) -> ExprId {
        self.mention(name, namespace, false)
    }

    /// A mention that nobody may look at before the whole file has run, such as an annotation: it means what the name
    /// is bound to here, or else what it is bound to when its scope has run to its end.
    pub fn name_or_later(&mut self, name: &str, namespace: u8) -> ExprId {
        self.mention(name, namespace, true)
    }

    fn mention(&mut self, name: &str, namespace: u8, or_later: bool) -> ExprId {
        let name = self.intern(name);
        let expr = self.push_expr(Expr::Free(name));
        self.clock += 1;
        let (scope, region, at) = (self.scope, self.region, self.clock);
        self.uses.push(PendingUse {
            expr,
            scope,
            region,
            at,
            namespace,
            or_later,
        });
        expr
    }

    /// Adds an expression shape. Names are added by [`FactsBuilder::name`].
    pub fn expr(&mut self, expr: Expr) -> ExprId {
        if expr == Expr::Opaque {
            if let Some(id) = self.opaque {
                return id;
            }
            let id = self.push_expr(expr);
            self.opaque = Some(id);
            return id;
        }
        self.push_expr(expr)
    }

    /// The shape behind an id (names are [`Expr::Free`] until `finish`).
    #[must_use]
    pub fn expr_at(&self, id: ExprId) -> Expr {
        self.facts.exprs[id.ix()]
    }

    pub(super) fn push_expr(&mut self, expr: Expr) -> ExprId {
        let id = ExprId(count(self.facts.exprs.len()));
        self.facts.exprs.push(expr);
        id
    }

    /// Adds a list of expressions.
    pub fn expr_run(&mut self, exprs: &[ExprId]) -> Run {
        let run = Run {
            start: count(self.facts.expr_list.len()),
            len: count(exprs.len()),
        };
        self.facts.expr_list.extend_from_slice(exprs);
        run
    }

    /// Adds a list of arguments.
    pub fn arg_run(&mut self, args: &[Arg]) -> Run {
        let run = Run {
            start: count(self.facts.args.len()),
            len: count(args.len()),
        };
        self.facts.args.extend_from_slice(args);
        run
    }

    /// The value of an argument of a run; opaque when there are fewer.
    #[must_use]
    pub fn arg_at(&mut self, run: Run, index: usize) -> ExprId {
        match self.facts.args[run.range()].get(index) {
            Some(arg) => arg.value,
            None => self.expr(Expr::Opaque),
        }
    }

    /// Adds a type.
    pub fn ty(&mut self, ty: TypeExpr) -> TypeId {
        let id = TypeId(count(self.facts.types.len()));
        self.facts.types.push(ty);
        id
    }

    /// Says what a type is that was not known when it was added.
    pub fn set_type(&mut self, id: TypeId, ty: TypeExpr) {
        self.facts.types[id.ix()] = ty;
    }

    /// The type behind an id.
    #[must_use]
    pub fn type_at(&self, id: TypeId) -> TypeExpr {
        self.facts.types[id.ix()]
    }

    /// Adds a list of types.
    pub fn type_run(&mut self, types: &[TypeId]) -> Run {
        let run = Run {
            start: count(self.facts.type_list.len()),
            len: count(types.len()),
        };
        self.facts.type_list.extend_from_slice(types);
        run
    }
}
