//! The server over standard input and output: every byte that it writes is read here.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::project::Project;

/// A client that keeps every line.
struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    next_id: u64,
}

/// Nothing here takes longer, on however slow a machine.
const PATIENCE: Duration = Duration::from_mins(1);

impl Client {
    fn start(project: &Project, arguments: &[&str]) -> Self {
        let mut child = project
            .command(&[&["mcp"], arguments].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdout = child.stdout.take().unwrap();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                if sender.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        Self {
            stdin: child.stdin.take(),
            child,
            lines,
            next_id: 0,
        }
    }

    /// A client that has opened an older session.
    fn open(project: &Project, arguments: &[&str]) -> Self {
        let mut client = Self::start(project, arguments);
        let reply = client.request("initialize", initialize(json!({})));
        assert_eq!(reply["result"]["serverInfo"]["name"], "stratigraph", "{reply}");
        client.notify("notifications/initialized", json!({}));
        client
    }

    fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{message}").unwrap();
        stdin.flush().unwrap();
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The next message; every line has to be one.
    #[track_caller]
    fn receive(&mut self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("the server writes a line");
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    #[track_caller]
    fn request(&mut self, method: &str, params: Value) -> Value {
        self.next_id += 1;
        let id = json!(self.next_id);
        self.request_as(&id, method, params)
    }

    #[track_caller]
    fn request_as(&mut self, id: &Value, method: &str, params: Value) -> Value {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == *id {
                return message;
            }
        }
    }

    #[track_caller]
    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let reply = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(reply["error"].is_null(), "{tool} {arguments}: {reply}");
        reply["result"].clone()
    }

    /// Closes standard input and waits for the end.
    fn close(mut self) -> Vec<String> {
        drop(self.stdin.take());
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert_eq!(status.code(), Some(0));
                break;
            }
            assert!(began.elapsed() < PATIENCE, "the server leaves when its input ends");
            std::thread::yield_now();
        }
        self.lines.iter().collect()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Already gone after `close`.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn initialize(capabilities: Value) -> Value {
    json!({
        "protocolVersion": "2025-06-18",
        "capabilities": capabilities,
        "clientInfo": { "name": "test", "version": "1" }
    })
}

#[test]
fn an_older_session_from_start_to_end() {
    let project = Project::new();
    let mut client = Client::start(&project, &[]);
    let reply = client.request("initialize", initialize(json!({})));
    let result = &reply["result"];
    assert_eq!(result["protocolVersion"], "2025-06-18", "{reply}");
    assert!(
        result["instructions"].as_str().unwrap().contains("get_context"),
        "{reply}"
    );
    assert!(result["capabilities"]["tools"].is_object(), "{reply}");
    assert!(
        !project.root().join(".stratigraph/index.db").exists(),
        "the first reply comes before indexing"
    );
    client.notify("notifications/initialized", json!({}));

    let reply = client.request("tools/list", json!({}));
    let tools = reply["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "get_context",
            "codebase_search",
            "symbol_detail",
            "symbol_source",
            "codebase_map",
            "code_intelligence"
        ]
    );
    assert!(tools.iter().all(|tool| tool["outputSchema"].is_null()), "{reply}");

    let result = client.call("symbol_detail", &json!({ "fqn": "OrderService" }));
    assert_eq!(result["isError"], false, "{result}");
    assert!(
        result["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("shop/service.py:8"),
        "{result}"
    );
    assert_eq!(
        result["structuredContent"]["fqn"], "store::shop::service::OrderService",
        "{result}"
    );

    let reply = client.request("ping", json!({}));
    assert_eq!(reply["result"], json!({}));
    assert_eq!(client.close(), Vec::<String>::new(), "nothing else was written");
}

#[test]
fn a_newer_session_needs_no_handshake() {
    let project = Project::new();
    let mut client = Client::start(&project, &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let reply = client.request("server/discover", json!({ "_meta": meta }));
    assert!(reply["error"].is_null(), "{reply}");
    assert!(
        reply["result"]["instructions"]
            .as_str()
            .unwrap()
            .contains("get_context"),
        "{reply}"
    );
    let reply = client.request("tools/list", json!({ "_meta": meta }));
    assert_eq!(reply["result"]["tools"][0]["name"], "get_context", "{reply}");
    let params = json!({ "name": "codebase_search", "arguments": { "query": "order" }, "_meta": meta });
    let reply = client.request("tools/call", params);
    assert_eq!(reply["result"]["structuredContent"]["outcome"], "ok", "{reply}");
    assert_eq!(reply["result"]["resultType"], "complete", "{reply}");
    client.close();
}

#[test]
fn every_tool_can_be_called_whether_or_not_it_is_listed() {
    let project = Project::new();
    let mut client = Client::open(&project, &["--profile", "all"]);
    let reply = client.request("tools/list", json!({}));
    let tools = reply["result"]["tools"].as_array().unwrap().clone();
    assert_eq!(tools.len(), strata_tools::ALL.len());
    drop(client);

    let mut client = Client::open(&project, &[]);
    for tool in &tools {
        assert!(tool["outputSchema"].is_object(), "{tool}");
        let name = tool["name"].as_str().unwrap();
        let arguments = match name {
            "get_context" | "codebase_search" | "search_symbols" => json!({ "query": "order" }),
            "symbol_detail" | "symbol_source" => json!({ "fqn": "OrderService" }),
            "code_intelligence" => json!({ "operation": "findCallees", "symbolID": "handle" }),
            "is_path_indexed" => json!({ "virtual_path": "shop/models.py" }),
            "index_codebase" => json!({ "root_path": project.root().display().to_string() }),
            _ => json!({}),
        };
        let result = client.call(name, &arguments);
        assert_eq!(result["isError"], false, "{name}: {result}");
        assert!(!result["content"][0]["text"].as_str().unwrap().is_empty(), "{name}");
        // What is answered is what the schema says.
        let required = tool["outputSchema"]["required"].as_array().cloned().unwrap_or_default();
        for field in required {
            assert!(
                result["structuredContent"].get(field.as_str().unwrap()).is_some(),
                "{name} has no {field}: {result}"
            );
        }
    }
    client.close();
}

#[test]
fn what_a_model_can_mend_is_a_result_and_not_a_protocol_error() {
    let project = Project::new();
    let mut client = Client::open(&project, &[]);
    for (tool, arguments, code) in [
        ("symbol_detail", json!({ "fqn": "create" }), "fqn_ambiguous"),
        ("symbol_detail", json!({ "fqn": "nowhere" }), "fqn_not_found"),
        ("get_context", json!({ "query": "x", "tokens": 5 }), "unknown_argument"),
        ("codebase_map", json!({ "level": "L9" }), "invalid_argument"),
        ("codebase_map", json!({ "root": "/nowhere/at/all" }), "invalid_argument"),
    ] {
        let result = client.call(tool, &arguments);
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
        assert_eq!(
            result["structuredContent"]["code"], code,
            "{tool} {arguments}: {result}"
        );
        assert!(
            result["content"][0]["text"].as_str().unwrap().starts_with(code),
            "{result}"
        );
    }
    let reply = client.request("tools/call", json!({ "name": "no_such_tool", "arguments": {} }));
    assert!(
        reply["error"]["message"].as_str().unwrap().contains("get_context"),
        "{reply}"
    );
    // The server goes on.
    let result = client.call("codebase_map", &json!({ "level": "L2_Module" }));
    assert_eq!(
        result["structuredContent"]["entries"].as_array().unwrap().len(),
        6,
        "{result}"
    );
    client.close();
}

#[test]
fn ids_may_be_texts_and_bad_lines_hurt_nobody() {
    let project = Project::new();
    let mut client = Client::open(&project, &[]);
    let reply = client.request_as(&json!("seven"), "ping", json!({}));
    assert_eq!(reply["id"], "seven");
    writeln!(client.stdin.as_mut().unwrap(), "this is no message").unwrap();
    let reply = client.request("ping", json!({}));
    assert!(reply["error"].is_null(), "{reply}");
    let reply = client.request("no/such/method", json!({}));
    assert_eq!(reply["error"]["code"], -32601, "{reply}");
    client.close();
}

#[test]
fn the_client_may_name_the_root() {
    let project = Project::new();
    let elsewhere = project.home().join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    std::fs::write(elsewhere.join("only_here.py"), "def only_here():\n    pass\n").unwrap();
    let mut client = Client::start(&project, &[]);
    client.request("initialize", initialize(json!({ "roots": {} })));
    client.notify("notifications/initialized", json!({}));
    let asked = client.receive();
    assert_eq!(asked["method"], "roots/list", "{asked}");
    let roots = json!([{ "uri": format!("file://{}", elsewhere.display()), "name": "elsewhere" }]);
    client.send(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": { "roots": roots } }));
    let result = client.call("search_symbols", &json!({ "pattern": "only_here" }));
    assert_eq!(result["structuredContent"]["outcome"], "ok", "{result}");
    client.close();
}

#[test]
fn an_edit_is_answered_while_the_server_runs() {
    let project = Project::new();
    let mut client = Client::open(&project, &[]);
    let result = client.call("index_project", &json!({}));
    assert_eq!(result["structuredContent"]["status"], "ok", "{result}");
    project.write("shop/later.py", "def later():\n    pass\n");
    // A clean probe is trusted for two seconds, and the answer says how old it is.
    let began = Instant::now();
    loop {
        let result = client.call("search_symbols", &json!({ "pattern": "later" }));
        if result["structuredContent"]["outcome"] == "ok" {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{result}");
        assert!(
            result["structuredContent"]["index"]["probe_age_ms"].is_number(),
            "{result}"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
    client.close();
}

#[test]
fn progress_is_sent_only_when_it_was_asked_for() {
    let project = Project::new();
    let mut client = Client::open(&project, &[]);
    client.call("index_status", &json!({}));
    client.send(&json!({
        "jsonrpc": "2.0", "id": 100, "method": "tools/call",
        "params": { "name": "index_project", "arguments": { "force": true }, "_meta": { "progressToken": "p" } }
    }));
    let mut last = -1.0;
    let mut n_reports = 0;
    loop {
        let message = client.receive();
        if message["id"] == 100 {
            break;
        }
        assert_eq!(message["method"], "notifications/progress", "{message}");
        assert_eq!(message["params"]["progressToken"], "p", "{message}");
        let value = message["params"]["progress"].as_f64().unwrap();
        assert!(value > last, "progress grows: {message}");
        last = value;
        n_reports += 1;
    }
    assert!(n_reports > 0);
    client.send(&json!({
        "jsonrpc": "2.0", "id": 101, "method": "tools/call",
        "params": { "name": "index_project", "arguments": { "force": true } }
    }));
    assert_eq!(client.receive()["id"], 101, "no progress without a token");
    client.close();
}
