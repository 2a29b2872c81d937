//! The facts of one file: what everything after parsing works on.
//!
//! `facts = f(bytes, language, extractor version)`: no configuration and no other file goes in. All that scoping
//! inside the file can decide is decided here: a use of a name already knows the bindings that can reach it. Trees
//! and text do not leave extraction; what resolution needs of them are shapes: expressions that may become a
//! receiver, a callee, an assigned or returned value, and types as written.
//!
//! The layout is flat lists with integer ids, so that facts are small, quick to store and need no lifetime.

use bitcode::{Decode, Encode};

use crate::ids::{BindId, BindSetId, DefId, ExprId, ImportId, Position, Run, ScopeId, Span, StrId, TypeId};
use crate::kinds::{NodeKind, ParseStatus, RefKind};

/// Everything that is known about one file without looking at another.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct FileFacts {
    /// Name of the language, such as `python`.
    pub language: String,
    /// Number of lines.
    pub line_count: u32,
    /// How well the file was read.
    pub parse_status: ParseStatus,
    /// What was wrong with it, at most [`FileFacts::MAX_PROBLEMS`].
    pub problems: Vec<Problem>,
    /// Bits of [`FileFacts`] such as [`FileFacts::IS_MODULE`].
    pub flags: u32,
    /// The strings that all other sections point into.
    pub strings: Strings,
    /// Scopes; 0 is the file's.
    pub scopes: Vec<Scope>,
    /// Definitions.
    pub defs: Vec<Def>,
    /// Bindings.
    pub bindings: Vec<Binding>,
    /// Sets of bindings, as runs of `bind_list`.
    pub bind_sets: Vec<Run>,
    /// Members of the sets.
    pub bind_list: Vec<BindId>,
    /// The names of the file's scope with what reaches the end of the file, ordered by id.
    pub module_names: Vec<(StrId, BindSetId)>,
    /// Imports, one entry a bound (or star) name.
    pub imports: Vec<Import>,
    /// Explicit exports (ECMAScript, CommonJS).
    pub exports: Vec<Export>,
    /// The list of public names, where the language lets a module give one (`__all__`).
    pub all_names: Option<AllNames>,
    /// Expression shapes.
    pub exprs: Vec<Expr>,
    /// Types as written.
    pub types: Vec<TypeExpr>,
    /// Parameters and type parameters.
    pub params: Vec<Param>,
    /// Base classes and interfaces.
    pub supers: Vec<SuperRef>,
    /// Arguments of calls and decorators.
    pub args: Vec<Arg>,
    /// Lists of expressions.
    pub expr_list: Vec<ExprId>,
    /// Lists of types.
    pub type_list: Vec<TypeId>,
    /// References, in the order of their position.
    pub refs: Vec<Reference>,
    /// What only the flow of function values asks for.
    pub flow: FlowFacts,
}

impl FileFacts {
    /// Raised when the layout of facts changes: what was encoded in another one is not read.
    pub const LAYOUT: u32 = 1;
    /// Problems kept of one file.
    pub const MAX_PROBLEMS: usize = 10;
    /// Flag: the file has import or export syntax (ECMAScript), so that its names are its own.
    pub const IS_MODULE: u32 = 1;
    /// Flag: the file looks generated or minified.
    pub const IS_GENERATED: u32 = 2;
    /// Flag: the file's name or place says that it holds tests.
    pub const IS_TEST: u32 = 4;

    /// Gives back the room that growing lists reserve: facts of all files are in memory at once.
    pub fn shrink(&mut self) {
        self.strings.text.shrink_to_fit();
        self.strings.ends.shrink_to_fit();
        self.scopes.shrink_to_fit();
        self.defs.shrink_to_fit();
        self.bindings.shrink_to_fit();
        self.bind_sets.shrink_to_fit();
        self.bind_list.shrink_to_fit();
        self.module_names.shrink_to_fit();
        self.imports.shrink_to_fit();
        self.exports.shrink_to_fit();
        self.exprs.shrink_to_fit();
        self.types.shrink_to_fit();
        self.params.shrink_to_fit();
        self.supers.shrink_to_fit();
        self.args.shrink_to_fit();
        self.expr_list.shrink_to_fit();
        self.type_list.shrink_to_fit();
        self.refs.shrink_to_fit();
        self.flow.assigned.shrink_to_fit();
        self.flow.keys.shrink_to_fit();
        self.flow.dict_keys.shrink_to_fit();
        self.flow.implicit.shrink_to_fit();
    }

    /// The text of a string of this file.
    #[must_use]
    pub fn str(&self, id: StrId) -> &str {
        self.strings.get(id)
    }

    /// The definition behind an id.
    #[must_use]
    pub fn def(&self, id: DefId) -> &Def {
        &self.defs[id.ix()]
    }

    /// The expression behind an id.
    #[must_use]
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.ix()]
    }

    /// The type behind an id.
    #[must_use]
    pub fn ty(&self, id: TypeId) -> TypeExpr {
        self.types[id.ix()]
    }

    /// The bindings of a set.
    #[must_use]
    pub fn bind_set(&self, id: BindSetId) -> &[BindId] {
        &self.bind_list[self.bind_sets[id.ix()].range()]
    }

    /// The parameters in a run.
    #[must_use]
    pub fn params(&self, run: Run) -> &[Param] {
        &self.params[run.range()]
    }

    /// The arguments in a run.
    #[must_use]
    pub fn args(&self, run: Run) -> &[Arg] {
        &self.args[run.range()]
    }

    /// The argument of a name in a run.
    #[must_use]
    pub fn named_arg(&self, run: Run, name: &str) -> Option<&Arg> {
        let is_it = |arg: &&Arg| arg.name.is_some_and(|it| self.str(it) == name);
        self.args(run).iter().find(is_it)
    }

    /// The text of a literal, where it is kept ([`FlowFacts::keys`]).
    #[must_use]
    pub fn literal_text(&self, literal: ExprId) -> Option<&str> {
        let keys = &self.flow.keys;
        let at = keys.binary_search_by_key(&literal, |(expr, _)| *expr).ok()?;
        Some(self.str(keys[at].1))
    }

    /// The expressions in a run.
    #[must_use]
    pub fn expr_list(&self, run: Run) -> &[ExprId] {
        &self.expr_list[run.range()]
    }

    /// The types in a run.
    #[must_use]
    pub fn type_list(&self, run: Run) -> &[TypeId] {
        &self.type_list[run.range()]
    }
}

/// What the flow of function values needs besides the shapes that resolution works on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct FlowFacts {
    /// Values assigned to members and elements: ([`Expr::Member`] or [`Expr::Index`], value). What a definition lists
    /// among its values may be left out.
    pub assigned: Vec<(ExprId, ExprId)>,
    /// The text of literals that are keys, ordered by expression.
    pub keys: Vec<(ExprId, StrId)>,
    /// The keys of [`Expr::Dict`]s, in the order of their values, as runs of `expr_list`; ordered by expression.
    pub dict_keys: Vec<(ExprId, Run)>,
    /// Calls that no call's syntax shows.
    pub implicit: Vec<Implicit>,
}

/// A place where the language calls something by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Implicit {
    /// What is done to the value.
    pub kind: ImplicitKind,
    /// The value.
    pub value: ExprId,
    /// The innermost definition around it with a body of its own; none for the module.
    pub owner: Option<DefId>,
    /// Where the value stands.
    pub at: Position,
}

/// What the language does to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum ImplicitKind {
    /// A loop goes through it.
    Iterated,
    /// It is raised: a class is instantiated.
    Raised,
    /// It is entered and left by `with`.
    Entered,
}

/// Strings of a file: one text, cut by ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Strings {
    /// All strings, one after the other.
    pub text: String,
    /// End of each string in `text`.
    pub ends: Vec<u32>,
}

impl Strings {
    /// The string with this id.
    #[must_use]
    pub fn get(&self, id: StrId) -> &str {
        let start = if id.0 == 0 { 0 } else { self.ends[id.ix() - 1] as usize };
        &self.text[start..self.ends[id.ix()] as usize]
    }

    /// Number of strings.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True when there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// Something wrong with the text of a file.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Problem {
    /// Where it starts.
    pub position: Position,
    /// What is wrong, lower case, without a full stop.
    pub message: String,
}

/// Kind of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum ScopeKind {
    /// The file's own scope.
    File,
    /// The body of a namespace.
    Namespace,
    /// The body of a class, interface, enum or object literal.
    Class,
    /// Parameters and body of a function.
    Function,
    /// A block with names of its own.
    Block,
    /// A comprehension.
    Comprehension,
    /// Holds the type parameters of the definition inside.
    TypeParams,
}

/// A scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Scope {
    /// The scope around it; none for the file.
    pub parent: Option<ScopeId>,
    /// Kind.
    pub kind: ScopeKind,
    /// The definition whose body this is.
    pub owner: Option<DefId>,
}

/// A definition: one construct in the source that brings a symbol into being.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Def {
    /// Name; `<anonymous>` for function literals, `<object>` for object literals and the like.
    pub name: StrId,
    /// Kind.
    pub kind: NodeKind,
    /// Bits of [`DefFlags`].
    pub flags: DefFlags,
    /// The definition that this one is a member of or local to. Members of an object literal belong to the
    /// literal's definition, and that to the variable or function which holds it.
    pub parent: Option<DefId>,
    /// The scope of its body.
    pub body: Option<ScopeId>,
    /// The whole construct, decorators included.
    pub span: Span,
    /// The name's token.
    pub name_span: Span,
    /// Where the construct starts.
    pub start: Position,
    /// Where it ends (the position after its last character).
    pub end: Position,
    /// Where the name's token starts.
    pub name_at: Position,
    /// Text up to the body, white space collapsed, at most 500 characters.
    pub signature: StrId,
    /// Documentation, without comment signs.
    pub doc: Option<StrId>,
    /// Type parameters.
    pub type_params: Run,
    /// Parameters, the receiver included where the language writes it (`self`).
    pub params: Run,
    /// Declared result type.
    pub ret_hint: Option<TypeId>,
    /// Returned expressions, as a run of `expr_list`.
    pub returns: Run,
    /// Yielded expressions, as a run of `expr_list`.
    pub yields: Run,
    /// Base classes and interfaces, as a run of `supers`.
    pub supers: Run,
    /// Decorators, outermost first, as a run of `expr_list`.
    pub decorators: Run,
    /// Declared type of a variable, field or property; the aliased type of a type alias.
    pub hint: Option<TypeId>,
    /// Values assigned to a variable, field or property anywhere in its owner, as a run of `expr_list`.
    pub values: Run,
    /// For a function literal that is an argument: the call and the argument's index.
    pub context: Option<(ExprId, u32)>,
    /// Measures of the body; zero for what has none.
    pub metrics: Metrics,
}

/// Properties of a definition, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct DefFlags(pub u32);

impl DefFlags {
    /// Visible to other modules by an explicit export.
    pub const EXPORTED: Self = Self(1);
    /// Marked or by convention private.
    pub const PRIVATE: Self = Self(1 << 1);
    /// Belongs to the class, not to its instances.
    pub const STATIC: Self = Self(1 << 2);
    /// Python `@classmethod`: the first parameter is the class.
    pub const CLASS_METHOD: Self = Self(1 << 3);
    /// Has no implementation.
    pub const ABSTRACT: Self = Self(1 << 4);
    /// Asynchronous function.
    pub const ASYNC: Self = Self(1 << 5);
    /// Generator.
    pub const GENERATOR: Self = Self(1 << 6);
    /// Read like a field, runs a function: `@property`, `get x()`.
    pub const GETTER: Self = Self(1 << 7);
    /// Written like a field, runs a function.
    pub const SETTER: Self = Self(1 << 8);
    /// A signature without a body that an implementation follows: overloads.
    pub const OVERLOAD: Self = Self(1 << 9);
    /// Under a condition: one of several alternatives.
    pub const CONDITIONAL: Self = Self(1 << 10);
    /// Inside a part of the text that does not parse.
    pub const IN_ERROR: Self = Self(1 << 11);
    /// Has no name in the text: function literal, object literal, unnamed class.
    pub const ANONYMOUS: Self = Self(1 << 12);
    /// A function literal whose `this` is that of its surroundings.
    pub const ARROW: Self = Self(1 << 13);
    /// `declare` or in a declaration file: says what exists elsewhere.
    pub const AMBIENT: Self = Self(1 << 14);
    /// Defined by assignment to `self.x` or `this.x`.
    pub const INSTANCE_FIELD: Self = Self(1 << 15);
    /// Local to a function.
    pub const LOCAL: Self = Self(1 << 16);
    /// The default export.
    pub const DEFAULT_EXPORT: Self = Self(1 << 17);
    /// An object literal, or an object type without a name: its members are looked up like a class's own.
    pub const OBJECT: Self = Self(1 << 18);
    /// May be left out (`x?: T`).
    pub const OPTIONAL: Self = Self(1 << 19);
    /// Cannot be assigned to again.
    pub const READONLY: Self = Self(1 << 20);

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
}

impl std::ops::BitOrAssign for DefFlags {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// Kind of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum ParamKind {
    /// By position or name.
    Normal,
    /// By name only.
    Keyword,
    /// `*args`, `...rest`.
    Rest,
    /// `**kwargs`.
    KeywordRest,
    /// A type parameter; `hint` is its bound, `default` unused.
    Type,
}

/// A parameter or type parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Param {
    /// Name; the empty string for a destructured one.
    pub name: StrId,
    /// Kind.
    pub kind: ParamKind,
    /// Declared type, or the bound of a type parameter.
    pub hint: Option<TypeId>,
    /// Default value.
    pub default: Option<ExprId>,
    /// May be left out.
    pub is_optional: bool,
}

/// A base class or an implemented interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct SuperRef {
    /// The type; [`TypeExpr::Name`] of any expression that evaluates to a class.
    pub ty: TypeId,
    /// True in an `implements` clause.
    pub is_implements: bool,
}

/// An argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Arg {
    /// Its name where it is given by name.
    pub name: Option<StrId>,
    /// Value.
    pub value: ExprId,
    /// True for `*x`, `**x`, `...x`.
    pub is_spread: bool,
}

/// "From here on, in this scope, the name stands for this."
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Binding {
    /// Name.
    pub name: StrId,
    /// Scope in which it is bound.
    pub scope: ScopeId,
    /// What it stands for.
    pub source: BindSource,
    /// Declared type (or the type a test narrowed it to).
    pub hint: Option<TypeId>,
    /// The symbol that this binding defines, for variables that are symbols.
    pub def: Option<DefId>,
    /// True when the binding comes of a test such as `isinstance(x, T)`.
    pub is_narrowing: bool,
}

/// What a binding binds its name to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum BindSource {
    /// A class, function, namespace, type or the like.
    Def(DefId),
    /// An imported thing.
    Import(ImportId),
    /// The parameter with this index of a function (type parameters excluded). A destructured parameter binds its
    /// parts by [`BindSource::Value`] over [`Expr::Param`].
    Param(DefId, u32),
    /// The type parameter with this index of a definition.
    TypeParam(DefId, u32),
    /// The value of an expression.
    Value(ExprId),
    /// Only the hint says what it is: a declaration without a value, a caught exception, a pattern, a narrowing.
    Typed,
    /// Something that is not modelled.
    Opaque,
}

/// An import of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Import {
    /// Kind.
    pub kind: ImportKind,
    /// The module as written: `.db`, `a.b.c`, `./x.js`, `@org/core`.
    pub spec: StrId,
    /// The imported name (`default` for a default import); none for whole modules and stars.
    pub name: Option<StrId>,
    /// The name it is bound to.
    pub local: Option<StrId>,
    /// True when it exists for the type checker only.
    pub is_type_only: bool,
    /// Where the reference stands.
    pub at: Position,
}

/// Kind of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum ImportKind {
    /// The whole module under a local name: `import a.b as x`, `import * as ns`, `import x = require("p")`.
    Module,
    /// Python `import a.b.c`: binds the first segment.
    ModuleRoot,
    /// One name of a module.
    Name,
    /// Every public name.
    Star,
    /// For its effect only.
    SideEffect,
}

/// An explicit export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Export {
    /// The name under which it is exported: `default`, `=` for `module.exports =` and `export =`, the empty string for
    /// a star without a name.
    pub name: StrId,
    /// What is exported.
    pub source: ExportSource,
    /// True when it exists for the type checker only.
    pub is_type_only: bool,
    /// Where the exported name stands.
    pub at: Position,
}

/// What an export exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum ExportSource {
    /// The value of an expression; `exports.f = …`, `export default …`. For `export { x }` the expression is the name as
    /// bound at the end of the file.
    Value(ExprId),
    /// A name of another module: (module as written, name there).
    From(StrId, StrId),
    /// Every name of another module.
    Star(StrId),
    /// Another module as an object.
    StarAs(StrId),
}

/// The list of a module's public names.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct AllNames {
    /// Names given literally.
    pub names: Vec<StrId>,
    /// Other lists that are added, as expressions that name them: `n.__all__`, or a name it was imported under.
    pub lists: Vec<ExprId>,
    /// True when a part of the list could not be read.
    pub is_dynamic: bool,
}

/// Kind of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Literal {
    /// Text.
    Str,
    /// Bytes.
    Bytes,
    /// Whole number.
    Int,
    /// Number with a fraction (every number of ECMAScript).
    Float,
    /// Truth value.
    Bool,
    /// `None`, `null`, `undefined`.
    Null,
    /// Regular expression.
    Regex,
}

/// The shape of an expression.
///
/// Only what may become a receiver, a callee, an assigned or returned value, a base class or an argument has a
/// shape; the rest is [`Expr::Opaque`]. Shapes nest at most 24 deep, deeper ones are opaque.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Expr {
    /// A name that the file binds; the set may be empty (used before it is bound).
    Local(StrId, BindSetId),
    /// A name that the file does not bind: builtin, global, or brought by a star import.
    Free(StrId),
    /// `this` of the definition (class, object literal or constructor function); true: of its static side.
    This(DefId, bool),
    /// `super` or `super()` inside the class; true: in a static or class method.
    Super(DefId, bool),
    /// The parameter with this index, for destructuring.
    Param(DefId, u32),
    /// A definition as a value: function literal, class expression, object literal.
    Def(DefId),
    /// A member.
    Member(ExprId, StrId),
    /// An element by key: container, key.
    Index(ExprId, ExprId),
    /// A call: callee, arguments, type arguments.
    Call(ExprId, Run, Run),
    /// An instantiation: class, arguments, type arguments.
    New(ExprId, Run, Run),
    /// A value of the type that was written: casts, `cast(T, x)`.
    Cast(TypeId),
    /// Awaited.
    Await(ExprId),
    /// Asserted not to be null: `x!`.
    Unwrap(ExprId),
    /// What iterating yields.
    Iter(ExprId),
    /// What asynchronous iterating yields.
    AsyncIter(ExprId),
    /// The element at a position of a tuple or array, by destructuring.
    Item(ExprId, u32),
    /// What `with` binds.
    Entered(ExprId),
    /// What `async with` binds.
    AsyncEntered(ExprId),
    /// One of two: conditional expression, `or`, `??`.
    Either(ExprId, ExprId),
    /// A tuple.
    Tuple(Run),
    /// A list or set literal, or a comprehension of one (with its one element).
    List(Run),
    /// A dictionary literal: its values.
    Dict(Run),
    /// A literal.
    Lit(Literal),
    /// The value, after a test that shows it to be of the type: `isinstance(x, T)`.
    Is(ExprId, TypeId),
    /// The value, after a test that shows it not to be of the type.
    IsNot(ExprId, TypeId),
    /// A member that the function around assigns or tests: the member, and its text as a name. Where bindings of that name
    /// reach, they say more than what the member is declared as.
    Place(ExprId, ExprId),
    /// The element at a literal position: the [`Expr::Index`], and the position.
    At(ExprId, u32),
    /// What a generator is sent: the value of `yield` in this function.
    Sent(DefId),
    /// What a generator returns in the end: the value of `yield from`.
    Delegated(ExprId),
    /// A module loaded by a call with a literal name: `require("x")`.
    Require(StrId),
    /// The same, awaited later: `import("x")`.
    ImportCall(StrId),
    /// Anything else.
    Opaque,
}

/// A type as it is written, unresolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum TypeExpr {
    /// A named type: the instance type of the class (alias, interface, parameter) that the expression evaluates to.
    Name(ExprId),
    /// A generic type with arguments.
    App(TypeId, Run),
    /// One of several.
    Union(Run),
    /// All of several.
    Intersection(Run),
    /// An array.
    Array(TypeId),
    /// A tuple.
    Tuple(Run),
    /// A function: parameter types, result.
    Fn(Run, Option<TypeId>),
    /// `Self`, polymorphic `this`.
    SelfType,
    /// `typeof x`, `type[X]` is written as [`TypeExpr::App`] of `type`.
    TypeOf(ExprId),
    /// An object type without a name.
    Object(DefId),
    /// The type of a member: `T["key"]`.
    Indexed(TypeId, StrId),
    /// The module object or a member of a module given literally: `import("./x")`, `import("./x").T` is
    /// [`TypeExpr::Name`] of a member of [`Expr::Require`].
    Module(StrId),
    /// A literal type, or `None`/`null`.
    Literal(Literal),
    /// Anything else.
    Opaque,
}

/// A place in the text that names something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Reference {
    /// What kind of use it is.
    pub kind: RefKind,
    /// What is named.
    pub target: RefTarget,
    /// The name's token as written (dotted for `import a.b.c`).
    pub name: StrId,
    /// The innermost definition around it with a body of its own (function, class, function literal); none for the
    /// module.
    pub owner: Option<DefId>,
    /// The name's token.
    pub span: Span,
    /// Where the name's token starts.
    pub at: Position,
    /// Bits of [`Reference`] such as [`Reference::IN_ERROR`].
    pub flags: u8,
}

impl Reference {
    /// Flag: inside a part of the text that does not parse.
    pub const IN_ERROR: u8 = 1;
    /// Flag: the receiver may be null (`a?.b()`).
    pub const OPTIONAL: u8 = 2;
    /// Flag: awaited.
    pub const AWAITED: u8 = 4;
    /// Flag: a literal names the member: `x["name"]()`, `getattr(x, "name")()`.
    pub const BY_LITERAL: u8 = 8;
}

/// What a reference names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum RefTarget {
    /// The value of an expression; for calls and instantiations the whole [`Expr::Call`] or [`Expr::New`], for
    /// decorators the decorator without its call.
    Expr(ExprId),
    /// A named type: [`TypeExpr::Name`].
    Type(TypeId),
    /// What an import imports.
    Import(ImportId),
    /// What an export with this index re-exports.
    Export(u32),
}

/// Measures of a function's own body; function literals inside count for themselves and, apart from `statements` and
/// `calls`, not for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Metrics {
    /// Statements.
    pub statements: u32,
    /// Deepest nesting of statements.
    pub max_depth: u32,
    /// `if`, `elif`, cases, loops, `try`.
    pub branches: u32,
    /// Loops.
    pub loops: u32,
    /// `try` statements.
    pub tries: u32,
    /// Calls.
    pub calls: u32,
    /// Returns below the first level.
    pub early_returns: u32,
    /// Awaits.
    pub awaits: u32,
    /// Function literals.
    pub closures: u32,
}
