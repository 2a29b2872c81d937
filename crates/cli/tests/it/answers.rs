//! What each tool answers, through the library, and that no answer exceeds its budget.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use strata_engine::{Control, Manner, Roots, Surroundings, count_tokens};
use strata_tools::{ALL, Answer, Call, ErrorCode, Outcome, find};

use crate::project::Project;

struct Asked {
    _project: Project,
    roots: Arc<Roots>,
    root: PathBuf,
}

impl Asked {
    fn new() -> Self {
        let project = Project::new();
        let root = project.root();
        let surroundings = Surroundings {
            working_directory: root.clone(),
            home: Some(project.home()),
            variables: std::collections::BTreeMap::new(),
        };
        let roots = Arc::new(Roots::new(surroundings, None, strata_languages::ALL, Manner::OneShot));
        Self {
            _project: project,
            roots,
            root,
        }
    }

    #[track_caller]
    fn ask(&self, tool: &str, arguments: &Value) -> Answer {
        let tool = find(tool).unwrap_or_else(|| panic!("{tool}"));
        let arguments = arguments.as_object().cloned().unwrap();
        (tool.call_json)(Call::new(&self.roots, Control::default()), arguments)
    }

    /// Asks and expects an answer.
    #[track_caller]
    fn answer(&self, tool: &str, arguments: &Value) -> Value {
        let answer = self.ask(tool, arguments);
        assert_eq!(answer.error, None, "{tool} {arguments}: {}", answer.text);
        for field in ["index", "outcome", "notes", "next_cursor"] {
            assert!(
                answer.structured.get(field).is_some(),
                "{tool} has no {field}: {}",
                answer.structured
            );
        }
        answer.structured
    }
}

fn fqns(list: &Value) -> Vec<&str> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|item| item["fqn"].as_str().or(item.as_str()).unwrap())
        .collect()
}

/// A call of each tool that finds something.
fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("get_context", json!({ "query": "how does creating an order work" })),
        (
            "get_context",
            json!({ "query": "create an order", "token_budget": 3000, "level": 3 }),
        ),
        ("get_context", json!({ "query": "order", "file": "shop/models.py" })),
        (
            "codebase_search",
            json!({ "query": "order create", "include_signature": true }),
        ),
        (
            "symbol_detail",
            json!({ "fqn": "OrderService.create", "expand": "All", "include_body_metrics": true }),
        ),
        (
            "symbol_detail",
            json!({ "fqn": "store::shop::models", "expand": ["Members", "PublicExports"] }),
        ),
        ("symbol_source", json!({ "fqn": "OrderService", "max_lines": 200 })),
        ("codebase_map", json!({ "level": "L3_Symbol", "include_metrics": true })),
        (
            "code_intelligence",
            json!({ "operation": "findCallers", "symbolID": "Base.save" }),
        ),
        (
            "code_intelligence",
            json!({ "operation": "findReferences", "symbolID": "Order" }),
        ),
        (
            "code_intelligence",
            json!({ "operation": "symbolsInFile", "file": "shop/models.py" }),
        ),
        ("search_symbols", json!({ "query": "order" })),
        ("index_project", json!({ "path": ".", "force": false })),
        ("index_status", json!({})),
        ("is_path_indexed", json!({ "virtual_path": "shop/models.py" })),
    ]
}

#[test]
fn every_tool_answers() {
    let asked = Asked::new();
    for (tool, arguments) in calls() {
        let answer = asked.answer(tool, &arguments);
        assert_eq!(answer["outcome"], "ok", "{tool} {arguments}: {answer}");
        assert_eq!(answer["index"]["dirty_count"], 0, "{tool}: {answer}");
        let coverage = &answer["index"]["coverage"];
        assert_eq!(
            (&coverage["indexed"], &coverage["partial"]),
            (&json!(5), &json!(1)),
            "{tool}: {answer}"
        );
    }
    let root = asked.root.display().to_string();
    let answer = asked.answer("index_codebase", &json!({ "root_path": root }));
    assert_eq!(
        (&answer["file_count"], &answer["errors"]),
        (&json!(6), &json!([])),
        "{answer}"
    );
}

#[test]
fn answers_never_exceed_their_budget() {
    let asked = Asked::new();
    let errors = [
        ("symbol_detail", json!({ "fqn": "create" })),
        ("symbol_source", json!({ "fqn": "OrderServise".repeat(100) })),
    ];
    for (tool, arguments) in calls().into_iter().chain(errors) {
        for budget in [200, 201, 250, 333, 500, 800, 1300, 2000, 5000, 20_000] {
            let mut arguments = arguments.clone();
            arguments["budget"] = json!(budget);
            if arguments.get("token_budget").is_some() {
                arguments["token_budget"] = json!(budget);
            }
            let answer = asked.ask(tool, &arguments);
            let (text, structured) = (count_tokens(&answer.text), count_tokens(&answer.structured.to_string()));
            assert!(
                text <= budget,
                "{tool} {arguments}: text has {text} tokens: {}",
                answer.text
            );
            assert!(
                structured <= budget,
                "{tool} {arguments}: JSON has {structured} tokens: {}",
                answer.structured
            );
        }
    }
}

#[test]
fn the_short_context_stays_under_five_hundred_tokens_and_has_no_bodies() {
    let asked = Asked::new();
    for query in [
        "order",
        "create an order",
        "who calls validate",
        "fix the total of an order",
        "sum of lines",
    ] {
        let answer = asked.ask("get_context", &json!({ "query": query }));
        assert!(count_tokens(&answer.text) <= 500, "{query}: {}", answer.text);
        assert!(!answer.text.contains("return 1 if self"), "{query}: {}", answer.text);
        assert!(
            !answer.structured["symbols"].as_array().unwrap().is_empty(),
            "{query}: {}",
            answer.structured
        );
    }
}

#[test]
fn cursors_continue_and_outdated_ones_are_errors() {
    let asked = Asked::new();
    let mut arguments = json!({ "level": "L3_Symbol", "budget": 300 });
    let mut seen: Vec<String> = Vec::new();
    for _ in 0..50 {
        let answer = asked.answer("codebase_map", &arguments);
        seen.extend(fqns(&answer["entries"]).into_iter().map(str::to_owned));
        match answer["next_cursor"].as_str() {
            Some(cursor) => arguments["cursor"] = json!(cursor),
            None => break,
        }
    }
    let all = asked.answer("codebase_map", &json!({ "level": "L3_Symbol", "budget": 20_000 }));
    assert_eq!(
        seen,
        fqns(&all["entries"]),
        "pages give the list without holes or repetitions"
    );

    let first = asked.answer("codebase_map", &json!({ "level": "L3_Symbol", "budget": 300 }));
    let cursor = first["next_cursor"].clone();
    let other = asked.ask("codebase_map", &json!({ "level": "L2_Module", "cursor": cursor }));
    assert_eq!(other.error, Some(ErrorCode::InvalidArgument), "{}", other.text);
    std::fs::write(asked.root.join("shop/new.py"), "def new(): pass\n").unwrap();
    let outdated = asked.ask(
        "codebase_map",
        &json!({ "level": "L3_Symbol", "budget": 300, "cursor": cursor }),
    );
    assert!(outdated.text.contains("outdated"), "{}", outdated.text);
}

#[test]
fn selectors_name_one_symbol_or_say_what_may_be_meant() {
    let asked = Asked::new();
    for selector in [
        "store::shop::service::OrderService::create",
        "OrderService::create",
        "OrderService.create",
        "OrderService#create",
        "shop.service.OrderService.create",
        "shop/service.py::OrderService::create",
        "shop/service.py:13",
        "shop/service.py:11:9",
        "`OrderService.create()`",
    ] {
        let answer = asked.answer("symbol_detail", &json!({ "fqn": selector }));
        assert_eq!(
            answer["fqn"], "store::shop::service::OrderService::create",
            "{selector}"
        );
    }
    let ambiguous = asked.ask("symbol_detail", &json!({ "fqn": "create" }));
    assert_eq!(ambiguous.error, Some(ErrorCode::FqnAmbiguous));
    assert_eq!(
        fqns(&ambiguous.structured["candidates"]),
        [
            "store::shop::models::Invoice::create",
            "store::shop::models::Order::create",
            "store::shop::service::OrderService::create"
        ]
    );
    let missing = asked.ask("symbol_source", &json!({ "fqn": "OrderServise" }));
    assert_eq!(missing.error, Some(ErrorCode::FqnNotFound));
    assert_eq!(missing.structured["reason"], "never-existed");
    assert_eq!(
        missing.structured["suggestions"][0], "store::shop::service::OrderService",
        "{}",
        missing.structured
    );
    let unindexed = asked.ask("symbol_detail", &json!({ "fqn": "notes.txt:1" }));
    assert_eq!(unindexed.structured["reason"], "not-indexed", "{}", unindexed.text);
    let beyond = asked.ask("symbol_detail", &json!({ "fqn": "shop/service.py:999" }));
    assert_eq!(beyond.error, Some(ErrorCode::InvalidArgument), "{}", beyond.text);
}

#[test]
fn callers_and_callees_are_those_of_the_symbol_and_not_of_its_namesakes() {
    let asked = Asked::new();
    let callers = |symbol: &str| {
        let answer = asked.answer(
            "code_intelligence",
            &json!({ "operation": "findCallers", "symbolID": symbol }),
        );
        let list = answer["callers"].as_array().unwrap().clone();
        list.iter()
            .map(|link| link["symbol"]["qualifiedName"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(callers("OrderService.create"), ["store::shop::service::handle"]);
    assert_eq!(callers("Order.create"), ["store::shop::service::OrderService::create"]);
    assert_eq!(callers("Invoice.create"), Vec::<String>::new());
    assert_eq!(
        callers("Order"),
        ["store::shop::service::OrderService::create"],
        "an instantiation calls the class"
    );
    assert_eq!(callers("sum"), ["@shop/web::page::renderTotal"]);
    let detail = asked.answer(
        "symbol_detail",
        &json!({ "fqn": "OrderService.create", "expand": "Callers,Callees" }),
    );
    assert_eq!(detail["top_callers"][0]["call_count"], 2, "{detail}");
    assert_eq!(detail["callee_count"], 3, "{detail}");
}

#[test]
fn an_empty_answer_is_none_and_says_so() {
    let asked = Asked::new();
    let answer = asked.answer(
        "code_intelligence",
        &json!({ "operation": "findCallers", "symbolID": "Invoice.create" }),
    );
    assert_eq!(
        (&answer["outcome"], &answer["envelope"]["completeness"]),
        (&json!("none"), &json!("empty")),
        "{answer}"
    );
    let answer = asked.ask(
        "code_intelligence",
        &json!({ "operation": "findSymbol", "name": "Zzyzx" }),
    );
    assert!(answer.text.starts_with("No symbols named Zzyzx"), "{}", answer.text);
    let answer = asked.ask("codebase_search", &json!({ "query": "order", "mode": "vector" }));
    assert_eq!(
        (answer.error, answer.outcome),
        (None, Some(Outcome::BackendFailed)),
        "{}",
        answer.text
    );
    let answer = asked.ask(
        "code_intelligence",
        &json!({ "operation": "buildContext", "query": "x", "seeds": [] }),
    );
    assert_eq!(answer.error, Some(ErrorCode::BackendFailed));
    assert!(answer.text.contains("get_context"), "{}", answer.text);
}

#[test]
fn source_is_exact_and_secrets_are_hidden() {
    let asked = Asked::new();
    let answer = asked.answer("symbol_source", &json!({ "fqn": "Order.total" }));
    assert_eq!(
        answer["source"],
        "    def total(self):\n        return 1 if self else 2"
    );
    assert_eq!(
        (&answer["start_line"], &answer["end_line"], &answer["stable"]),
        (&json!(23), &json!(24), &json!(true))
    );
    let block = answer["markdown_ready_block"].as_str().unwrap();
    let sha = answer["short_sha"].as_str().unwrap();
    assert!(
        block.starts_with("```python\n# FQN  : store::shop::models::Order::total\n# File : shop/models.py:23-24\n"),
        "{block}"
    );
    assert!(block.contains(&format!("# SHA  : sha256:{sha}\n")), "{block}");

    for (tool, arguments) in [
        ("symbol_source", json!({ "fqn": "API_KEY" })),
        ("symbol_detail", json!({ "fqn": "API_KEY" })),
        (
            "codebase_search",
            json!({ "query": "API_KEY", "include_signature": true }),
        ),
    ] {
        let answer = asked.ask(tool, &arguments);
        let both = format!("{} {}", answer.text, answer.structured);
        assert!(!both.contains("qL8vXz3RtYw9"), "{tool}: {both}");
    }
    let answer = asked.ask("symbol_source", &json!({ "fqn": "API_KEY" }));
    assert!(
        answer.text.contains("[REDACTED]") && answer.text.contains("secret-shaped"),
        "{}",
        answer.text
    );
}

#[test]
fn limits_are_clamped_and_said() {
    let asked = Asked::new();
    let answer = asked.answer("codebase_search", &json!({ "query": "order", "top_k": 500 }));
    assert_eq!(answer["notes"][0], "top_k 500 was set to 50", "{answer}");
    let answer = asked.answer("codebase_map", &json!({ "budget": 5 }));
    assert_eq!(answer["notes"][0], "budget 5 was set to 200", "{answer}");
}

#[test]
fn no_answer_shows_an_internal_id() {
    let asked = Asked::new();
    for (tool, arguments) in calls() {
        let answer = asked.ask(tool, &arguments);
        let both = format!("{} {}", answer.text, answer.structured);
        for sign in ["NodeId", "FileId", "#module@", "pkg::", "monorepo::"] {
            assert!(!both.contains(sign), "{tool} shows {sign}: {both}");
        }
    }
}

#[test]
fn symbols_are_found_by_name_words_and_pattern() {
    let asked = Asked::new();
    let names = |arguments: Value| {
        let answer = asked.answer("search_symbols", &arguments);
        fqns(&answer["results"])
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(json!({ "pattern": "orderservice" }))[0],
        "store::shop::service::OrderService"
    );
    assert_eq!(
        names(json!({ "pattern": "Order*", "kind": "class" })),
        ["store::shop::models::Order", "store::shop::service::OrderService"]
    );
    assert!(names(json!({ "query": "render total" })).contains(&"@shop/web::page::renderTotal".to_owned()));
    let refused = asked.ask("search_symbols", &json!({}));
    assert_eq!(refused.error, Some(ErrorCode::InvalidArgument));
}

#[test]
fn folders_outside_the_root_are_not_indexed_by_a_call() {
    let asked = Asked::new();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("a.py"), "x = 1\n").unwrap();
    let answer = asked.ask(
        "index_project",
        &json!({ "path": outside.path().display().to_string() }),
    );
    assert_eq!(answer.error, Some(ErrorCode::InvalidArgument), "{}", answer.text);
    assert!(!outside.path().join(".stratigraph").exists());
}

#[test]
fn the_list_has_no_gap() {
    let called: Vec<&str> = calls().into_iter().map(|(tool, _)| tool).collect();
    for tool in ALL {
        assert!(
            called.contains(&tool.name) || tool.name == "index_codebase",
            "{} is not tested here",
            tool.name
        );
    }
}
