//! Node kinds of the Python grammar as a dense enumeration, so that the walk can `match` on a number.
//!
//! A grammar numbers its kinds anew with each version. The table from those numbers to [`Kind`] is built once, from the
//! names.

use std::sync::OnceLock;

use tree_sitter::Node;

macro_rules! kinds {
    ($($variant:ident = $name:literal),+ $(,)?) => {
        /// The named kinds that extraction knows.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Kind {
            /// Punctuation, keywords, and parts that say nothing.
            Token,
            /// Text that does not parse.
            Error,
            $($variant),+
        }

        fn kind_named(name: &str) -> Kind {
            match name {
                $($name => Kind::$variant,)+
                _ => Kind::Token,
            }
        }
    };
}

kinds! {
    AliasedImport = "aliased_import",
    ArgumentList = "argument_list",
    AsPattern = "as_pattern",
    AsPatternTarget = "as_pattern_target",
    AssertStatement = "assert_statement",
    Assignment = "assignment",
    Attribute = "attribute",
    AugmentedAssignment = "augmented_assignment",
    Await = "await",
    BinaryOperator = "binary_operator",
    Block = "block",
    BooleanOperator = "boolean_operator",
    BreakStatement = "break_statement",
    Call = "call",
    CaseClause = "case_clause",
    CasePattern = "case_pattern",
    ClassDefinition = "class_definition",
    ClassPattern = "class_pattern",
    Comment = "comment",
    ComparisonOperator = "comparison_operator",
    ConcatenatedString = "concatenated_string",
    ConditionalExpression = "conditional_expression",
    ConstrainedType = "constrained_type",
    ContinueStatement = "continue_statement",
    DecoratedDefinition = "decorated_definition",
    Decorator = "decorator",
    DefaultParameter = "default_parameter",
    DeleteStatement = "delete_statement",
    DictPattern = "dict_pattern",
    Dictionary = "dictionary",
    DictionaryComprehension = "dictionary_comprehension",
    DictionarySplat = "dictionary_splat",
    DictionarySplatPattern = "dictionary_splat_pattern",
    DottedName = "dotted_name",
    ElifClause = "elif_clause",
    Ellipsis = "ellipsis",
    ElseClause = "else_clause",
    ExceptClause = "except_clause",
    ExpressionList = "expression_list",
    ExpressionStatement = "expression_statement",
    False = "false",
    FinallyClause = "finally_clause",
    Float = "float",
    ForInClause = "for_in_clause",
    ForStatement = "for_statement",
    FormatExpression = "format_expression",
    FormatSpecifier = "format_specifier",
    FunctionDefinition = "function_definition",
    FutureImportStatement = "future_import_statement",
    GeneratorExpression = "generator_expression",
    GenericType = "generic_type",
    GlobalStatement = "global_statement",
    Identifier = "identifier",
    IfClause = "if_clause",
    IfStatement = "if_statement",
    ImportFromStatement = "import_from_statement",
    ImportStatement = "import_statement",
    Integer = "integer",
    Interpolation = "interpolation",
    KeywordArgument = "keyword_argument",
    KeywordPattern = "keyword_pattern",
    KeywordSeparator = "keyword_separator",
    Lambda = "lambda",
    LambdaParameters = "lambda_parameters",
    List = "list",
    ListComprehension = "list_comprehension",
    ListPattern = "list_pattern",
    ListSplat = "list_splat",
    ListSplatPattern = "list_splat_pattern",
    MatchStatement = "match_statement",
    MemberType = "member_type",
    NamedExpression = "named_expression",
    None = "none",
    NonlocalStatement = "nonlocal_statement",
    NotOperator = "not_operator",
    Pair = "pair",
    Parameters = "parameters",
    ParenthesizedExpression = "parenthesized_expression",
    ParenthesizedListSplat = "parenthesized_list_splat",
    PatternList = "pattern_list",
    PositionalSeparator = "positional_separator",
    RaiseStatement = "raise_statement",
    RelativeImport = "relative_import",
    ReturnStatement = "return_statement",
    Set = "set",
    SetComprehension = "set_comprehension",
    Slice = "slice",
    SplatPattern = "splat_pattern",
    SplatType = "splat_type",
    String = "string",
    StringContent = "string_content",
    Subscript = "subscript",
    True = "true",
    TryStatement = "try_statement",
    Tuple = "tuple",
    TuplePattern = "tuple_pattern",
    Type = "type",
    TypeAliasStatement = "type_alias_statement",
    TypeParameter = "type_parameter",
    TypedDefaultParameter = "typed_default_parameter",
    TypedParameter = "typed_parameter",
    UnaryOperator = "unary_operator",
    UnionPattern = "union_pattern",
    UnionType = "union_type",
    WhileStatement = "while_statement",
    WildcardImport = "wildcard_import",
    WithClause = "with_clause",
    WithItem = "with_item",
    WithStatement = "with_statement",
    Yield = "yield",
    // Kinds without a rule of their own: their children are walked.
    Chevron = "chevron",
    ExecStatement = "exec_statement",
    PassStatement = "pass_statement",
    PrintStatement = "print_statement",
}

impl Kind {
    /// True for what stands in a block as a statement of its own.
    pub(super) const fn is_statement(self) -> bool {
        matches!(
            self,
            Self::AssertStatement
                | Self::BreakStatement
                | Self::ClassDefinition
                | Self::ContinueStatement
                | Self::DecoratedDefinition
                | Self::DeleteStatement
                | Self::ExecStatement
                | Self::ExpressionStatement
                | Self::ForStatement
                | Self::FunctionDefinition
                | Self::FutureImportStatement
                | Self::GlobalStatement
                | Self::IfStatement
                | Self::ImportFromStatement
                | Self::ImportStatement
                | Self::MatchStatement
                | Self::NonlocalStatement
                | Self::PassStatement
                | Self::PrintStatement
                | Self::RaiseStatement
                | Self::ReturnStatement
                | Self::TryStatement
                | Self::TypeAliasStatement
                | Self::WhileStatement
                | Self::WithStatement
        )
    }
}

impl Kind {
    /// True for statements that hold no block.
    pub(super) const fn is_simple_statement(self) -> bool {
        matches!(
            self,
            Self::AssertStatement
                | Self::DeleteStatement
                | Self::ExpressionStatement
                | Self::RaiseStatement
                | Self::ReturnStatement
        )
    }
}

/// The grammar.
pub(super) fn language() -> tree_sitter::Language {
    tree_sitter_python::LANGUAGE.into()
}

/// The kinds by the grammar's numbers.
#[derive(Clone, Copy)]
pub(super) struct Grammar {
    kinds: &'static [Kind],
    /// Number of the field that holds an operator.
    pub(super) operator: u16,
}

impl Grammar {
    /// The table, built at the first call.
    pub(super) fn get() -> Self {
        static TABLE: OnceLock<(Vec<Kind>, u16)> = OnceLock::new();
        let (kinds, operator) = TABLE.get_or_init(|| {
            let language = language();
            let count = u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX);
            let kinds = (0..count)
                .map(|id| match language.node_kind_for_id(id) {
                    Some(name) if language.node_kind_is_named(id) => kind_named(name),
                    _ => Kind::Token,
                })
                .collect();
            (
                kinds,
                language
                    .field_id_for_name("operator")
                    .map_or(0, std::num::NonZeroU16::get),
            )
        });
        Self {
            kinds,
            operator: *operator,
        }
    }

    /// The kind of a node.
    pub(super) fn kind(self, node: Node<'_>) -> Kind {
        match node.kind_id() {
            // The number that tree-sitter gives to every error, whatever the grammar.
            u16::MAX => Kind::Error,
            id => self.kinds.get(id as usize).copied().unwrap_or(Kind::Token),
        }
    }
}

macro_rules! fields {
    ($($field:ident = $name:literal),+ $(,)?) => {
        /// Numbers of the grammar's fields.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Fields {
            $(pub(super) $field: u16),+
        }

        impl Fields {
            /// The numbers, looked up at the first call.
            pub(super) fn get() -> Self {
                static FIELDS: OnceLock<Fields> = OnceLock::new();
                *FIELDS.get_or_init(|| {
                    let language = language();
                    let id = |name| language.field_id_for_name(name).map_or(0, std::num::NonZeroU16::get);
                    Self { $($field: id($name)),+ }
                })
            }
        }
    };
}

fields! {
    alias = "alias",
    alternative = "alternative",
    arguments = "arguments",
    attribute = "attribute",
    body = "body",
    condition = "condition",
    consequence = "consequence",
    definition = "definition",
    function = "function",
    guard = "guard",
    key = "key",
    left = "left",
    module_name = "module_name",
    name = "name",
    object = "object",
    parameters = "parameters",
    return_type = "return_type",
    right = "right",
    subject = "subject",
    superclasses = "superclasses",
    ty = "type",
    type_parameters = "type_parameters",
    value = "value",
}
