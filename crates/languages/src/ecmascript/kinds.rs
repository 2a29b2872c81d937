//! Node kinds and fields of the three grammars, folded into one enumeration each.
//!
//! The numbers of kinds and fields differ from grammar to grammar. A table for each grammar, built once by name, turns
//! them into [`Kind`] and [`Field`], so that one walk serves all three and never compares a string.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use tree_sitter::Language;

macro_rules! kinds {
    (named { $($named:ident = $named_text:literal),+ $(,)? } tokens { $($token:ident = $token_text:literal),+ $(,)? }) => {
        /// Kind of a node.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Kind {
            /// Nothing the walk asks for.
            Other,
            /// Text that does not parse.
            Error,
            $($named,)+
            $($token,)+
        }

        const NAMED: &[(&str, Kind)] = &[$(($named_text, Kind::$named)),+];
        const TOKENS: &[(&str, Kind)] = &[$(($token_text, Kind::$token)),+];
    };
}

kinds! {
    named {
        Program = "program",
        StatementBlock = "statement_block",
        ExpressionStatement = "expression_statement",
        LexicalDeclaration = "lexical_declaration",
        VariableDeclaration = "variable_declaration",
        UsingDeclaration = "using_declaration",
        VariableDeclarator = "variable_declarator",
        FunctionDeclaration = "function_declaration",
        GeneratorFunctionDeclaration = "generator_function_declaration",
        FunctionSignature = "function_signature",
        FunctionExpression = "function_expression",
        GeneratorFunction = "generator_function",
        ArrowFunction = "arrow_function",
        ClassDeclaration = "class_declaration",
        AbstractClassDeclaration = "abstract_class_declaration",
        Class = "class",
        ClassBody = "class_body",
        ClassHeritage = "class_heritage",
        ExtendsClause = "extends_clause",
        ImplementsClause = "implements_clause",
        ExtendsTypeClause = "extends_type_clause",
        ClassStaticBlock = "class_static_block",
        MethodDefinition = "method_definition",
        MethodSignature = "method_signature",
        AbstractMethodSignature = "abstract_method_signature",
        PublicFieldDefinition = "public_field_definition",
        FieldDefinition = "field_definition",
        IndexSignature = "index_signature",
        InterfaceDeclaration = "interface_declaration",
        InterfaceBody = "interface_body",
        ObjectType = "object_type",
        PropertySignature = "property_signature",
        CallSignature = "call_signature",
        ConstructSignature = "construct_signature",
        EnumDeclaration = "enum_declaration",
        EnumBody = "enum_body",
        EnumAssignment = "enum_assignment",
        TypeAliasDeclaration = "type_alias_declaration",
        Module = "module",
        InternalModule = "internal_module",
        AmbientDeclaration = "ambient_declaration",
        ImportAlias = "import_alias",
        ImportStatement = "import_statement",
        ImportClause = "import_clause",
        NamedImports = "named_imports",
        ImportSpecifier = "import_specifier",
        NamespaceImport = "namespace_import",
        ImportRequireClause = "import_require_clause",
        ExportStatement = "export_statement",
        ExportClause = "export_clause",
        ExportSpecifier = "export_specifier",
        NamespaceExport = "namespace_export",
        IfStatement = "if_statement",
        ElseClause = "else_clause",
        ForStatement = "for_statement",
        ForInStatement = "for_in_statement",
        WhileStatement = "while_statement",
        DoStatement = "do_statement",
        SwitchStatement = "switch_statement",
        SwitchBody = "switch_body",
        SwitchCase = "switch_case",
        SwitchDefault = "switch_default",
        TryStatement = "try_statement",
        CatchClause = "catch_clause",
        FinallyClause = "finally_clause",
        ReturnStatement = "return_statement",
        ThrowStatement = "throw_statement",
        BreakStatement = "break_statement",
        ContinueStatement = "continue_statement",
        LabeledStatement = "labeled_statement",
        WithStatement = "with_statement",
        EmptyStatement = "empty_statement",
        DebuggerStatement = "debugger_statement",
        Decorator = "decorator",
        FormalParameters = "formal_parameters",
        RequiredParameter = "required_parameter",
        OptionalParameter = "optional_parameter",
        AccessibilityModifier = "accessibility_modifier",
        OverrideModifier = "override_modifier",
        TypeParameters = "type_parameters",
        TypeParameter = "type_parameter",
        Constraint = "constraint",
        DefaultType = "default_type",
        TypeArguments = "type_arguments",
        TypeAnnotation = "type_annotation",
        AddingTypeAnnotation = "adding_type_annotation",
        OmittingTypeAnnotation = "omitting_type_annotation",
        OptingTypeAnnotation = "opting_type_annotation",
        AssertsAnnotation = "asserts_annotation",
        TypePredicateAnnotation = "type_predicate_annotation",
        Asserts = "asserts",
        TypePredicate = "type_predicate",
        MappedTypeClause = "mapped_type_clause",
        Identifier = "identifier",
        PropertyIdentifier = "property_identifier",
        PrivatePropertyIdentifier = "private_property_identifier",
        ShorthandPropertyIdentifier = "shorthand_property_identifier",
        ShorthandPropertyIdentifierPattern = "shorthand_property_identifier_pattern",
        TypeIdentifier = "type_identifier",
        NestedIdentifier = "nested_identifier",
        NestedTypeIdentifier = "nested_type_identifier",
        ComputedPropertyName = "computed_property_name",
        String = "string",
        Number = "number",
        Regex = "regex",
        True = "true",
        False = "false",
        Null = "null",
        Undefined = "undefined",
        This = "this",
        Super = "super",
        TemplateString = "template_string",
        TemplateSubstitution = "template_substitution",
        MetaProperty = "meta_property",
        Import = "import",
        Array = "array",
        Object = "object",
        Pair = "pair",
        SpreadElement = "spread_element",
        ParenthesizedExpression = "parenthesized_expression",
        SequenceExpression = "sequence_expression",
        MemberExpression = "member_expression",
        SubscriptExpression = "subscript_expression",
        CallExpression = "call_expression",
        NewExpression = "new_expression",
        AwaitExpression = "await_expression",
        YieldExpression = "yield_expression",
        UnaryExpression = "unary_expression",
        UpdateExpression = "update_expression",
        BinaryExpression = "binary_expression",
        TernaryExpression = "ternary_expression",
        AssignmentExpression = "assignment_expression",
        AugmentedAssignmentExpression = "augmented_assignment_expression",
        AsExpression = "as_expression",
        SatisfiesExpression = "satisfies_expression",
        TypeAssertion = "type_assertion",
        NonNullExpression = "non_null_expression",
        InstantiationExpression = "instantiation_expression",
        Arguments = "arguments",
        OptionalChain = "optional_chain",
        ArrayPattern = "array_pattern",
        ObjectPattern = "object_pattern",
        PairPattern = "pair_pattern",
        AssignmentPattern = "assignment_pattern",
        ObjectAssignmentPattern = "object_assignment_pattern",
        RestPattern = "rest_pattern",
        JsxElement = "jsx_element",
        JsxSelfClosingElement = "jsx_self_closing_element",
        JsxOpeningElement = "jsx_opening_element",
        JsxClosingElement = "jsx_closing_element",
        JsxAttribute = "jsx_attribute",
        JsxExpression = "jsx_expression",
        JsxNamespaceName = "jsx_namespace_name",
        PredefinedType = "predefined_type",
        GenericType = "generic_type",
        UnionType = "union_type",
        IntersectionType = "intersection_type",
        ArrayType = "array_type",
        ReadonlyType = "readonly_type",
        TupleType = "tuple_type",
        OptionalType = "optional_type",
        RestType = "rest_type",
        FunctionType = "function_type",
        ConstructorType = "constructor_type",
        TypeQuery = "type_query",
        IndexTypeQuery = "index_type_query",
        LookupType = "lookup_type",
        ConditionalType = "conditional_type",
        InferType = "infer_type",
        TemplateLiteralType = "template_literal_type",
        TemplateType = "template_type",
        LiteralType = "literal_type",
        ThisType = "this_type",
        ParenthesizedType = "parenthesized_type",
        FlowMaybeType = "flow_maybe_type",
        Comment = "comment",
        HtmlComment = "html_comment",
    }
    tokens {
        AsyncToken = "async",
        StaticToken = "static",
        GetToken = "get",
        SetToken = "set",
        StarToken = "*",
        QuestionToken = "?",
        ConstToken = "const",
        VarToken = "var",
        TypeToken = "type",
        TypeofToken = "typeof",
        DefaultToken = "default",
        DeclareToken = "declare",
        GlobalToken = "global",
        ReadonlyToken = "readonly",
        AbstractToken = "abstract",
        AwaitToken = "await",
        NewToken = "new",
        OfToken = "of",
        EqualsToken = "=",
        NotToken = "!",
        AndToken = "&&",
        OrToken = "||",
        CoalesceToken = "??",
        OrAssignToken = "||=",
        CoalesceAssignToken = "??=",
        InstanceofToken = "instanceof",
        PlusToken = "+",
        MinusToken = "-",
        DivideToken = "/",
        RemainderToken = "%",
        VoidToken = "void",
        TildeToken = "~",
        ChainToken = "?.",
        CommaToken = ",",
        UsingToken = "using",
        StaticGetToken = "static get",
    }
}

impl Kind {
    /// True for comments.
    pub(super) const fn is_comment(self) -> bool {
        matches!(self, Self::Comment | Self::HtmlComment)
    }

    /// True for function literals.
    pub(super) const fn is_function_literal(self) -> bool {
        matches!(
            self,
            Self::ArrowFunction | Self::FunctionExpression | Self::GeneratorFunction
        )
    }

    /// True for the nodes of expressions that may be walked as such.
    pub(super) const fn is_expression(self) -> bool {
        matches!(
            self,
            Self::Identifier
                | Self::String
                | Self::Number
                | Self::Regex
                | Self::True
                | Self::False
                | Self::Null
                | Self::Undefined
                | Self::This
                | Self::Super
                | Self::TemplateString
                | Self::MetaProperty
                | Self::Array
                | Self::Object
                | Self::ParenthesizedExpression
                | Self::SequenceExpression
                | Self::MemberExpression
                | Self::SubscriptExpression
                | Self::CallExpression
                | Self::NewExpression
                | Self::AwaitExpression
                | Self::YieldExpression
                | Self::UnaryExpression
                | Self::UpdateExpression
                | Self::BinaryExpression
                | Self::TernaryExpression
                | Self::AssignmentExpression
                | Self::AugmentedAssignmentExpression
                | Self::AsExpression
                | Self::SatisfiesExpression
                | Self::TypeAssertion
                | Self::NonNullExpression
                | Self::InstantiationExpression
                | Self::ArrowFunction
                | Self::FunctionExpression
                | Self::GeneratorFunction
                | Self::Class
                | Self::InternalModule
                | Self::JsxElement
                | Self::JsxSelfClosingElement
        )
    }

    /// True for the nodes of types.
    pub(super) const fn is_type(self) -> bool {
        matches!(
            self,
            Self::TypeIdentifier
                | Self::NestedTypeIdentifier
                | Self::PredefinedType
                | Self::GenericType
                | Self::UnionType
                | Self::IntersectionType
                | Self::ArrayType
                | Self::ReadonlyType
                | Self::TupleType
                | Self::OptionalType
                | Self::RestType
                | Self::FunctionType
                | Self::ConstructorType
                | Self::TypeQuery
                | Self::IndexTypeQuery
                | Self::LookupType
                | Self::ConditionalType
                | Self::InferType
                | Self::TemplateLiteralType
                | Self::LiteralType
                | Self::ThisType
                | Self::ParenthesizedType
                | Self::FlowMaybeType
                | Self::ObjectType
        )
    }
}

macro_rules! fields {
    ($($field:ident = $text:literal),+ $(,)?) => {
        /// The field under which a node hangs below its parent.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Field {
            /// None, or one the walk does not ask for.
            None,
            $($field,)+
        }

        const FIELDS: &[(&str, Field)] = &[$(($text, Field::$field)),+];
    };
}

fields! {
    Name = "name",
    Body = "body",
    Value = "value",
    Type = "type",
    Parameters = "parameters",
    Parameter = "parameter",
    ReturnType = "return_type",
    TypeParameters = "type_parameters",
    TypeArguments = "type_arguments",
    Function = "function",
    Arguments = "arguments",
    Constructor = "constructor",
    Object = "object",
    Property = "property",
    Index = "index",
    Left = "left",
    Right = "right",
    Operator = "operator",
    Condition = "condition",
    Consequence = "consequence",
    Alternative = "alternative",
    Initializer = "initializer",
    Increment = "increment",
    Kind = "kind",
    Source = "source",
    Declaration = "declaration",
    Decorator = "decorator",
    Key = "key",
    Pattern = "pattern",
    Alias = "alias",
    Handler = "handler",
    Finalizer = "finalizer",
    Argument = "argument",
    Module = "module",
    OpenTag = "open_tag",
    Attribute = "attribute",
    IndexType = "index_type",
    OptionalChain = "optional_chain",
}

/// The tables of one grammar.
pub(super) struct Grammar {
    kinds: Vec<Kind>,
    fields: Vec<Field>,
}

impl Grammar {
    fn new(language: &Language) -> Self {
        let named: FxHashMap<&str, Kind> = NAMED.iter().copied().collect();
        let tokens: FxHashMap<&str, Kind> = TOKENS.iter().copied().collect();
        let kinds = (0..language.node_kind_count())
            .map(|id| {
                let id = u16::try_from(id).unwrap_or(u16::MAX);
                let table = if language.node_kind_is_named(id) {
                    &named
                } else {
                    &tokens
                };
                language
                    .node_kind_for_id(id)
                    .and_then(|name| table.get(name))
                    .copied()
                    .unwrap_or(Kind::Other)
            })
            .collect();
        let by_name: FxHashMap<&str, Field> = FIELDS.iter().copied().collect();
        let fields = (0..=language.field_count())
            .map(|id| {
                let id = u16::try_from(id).unwrap_or(u16::MAX);
                language
                    .field_name_for_id(id)
                    .and_then(|name| by_name.get(name))
                    .copied()
                    .unwrap_or(Field::None)
            })
            .collect();
        Self { kinds, fields }
    }

    /// The kind behind a number. The parser's own error kind has no entry.
    pub(super) fn kind(&self, id: u16) -> Kind {
        if id == u16::MAX {
            Kind::Error
        } else {
            self.kinds.get(usize::from(id)).copied().unwrap_or(Kind::Other)
        }
    }

    /// The field behind a number.
    pub(super) fn field(&self, id: Option<std::num::NonZeroU16>) -> Field {
        id.and_then(|id| self.fields.get(usize::from(id.get())))
            .copied()
            .unwrap_or(Field::None)
    }
}

/// The tables for the grammar that made a tree.
pub(super) fn grammar_of(language: &Language) -> &'static Grammar {
    static TYPESCRIPT: OnceLock<Grammar> = OnceLock::new();
    static TSX: OnceLock<Grammar> = OnceLock::new();
    static JAVASCRIPT: OnceLock<Grammar> = OnceLock::new();
    let typescript: Language = tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into();
    let tsx: Language = tree_sitter_typescript::LANGUAGE_TSX.into();
    let slot = if *language == typescript {
        &TYPESCRIPT
    } else if *language == tsx {
        &TSX
    } else {
        &JAVASCRIPT
    };
    slot.get_or_init(|| Grammar::new(language))
}
