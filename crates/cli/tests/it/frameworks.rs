//! What is handed to a framework is shown beside calls, under a word of its own, and is never one.

use serde_json::Value;

use crate::project::Project;

const VIEWS: &str = "\
def index():
    return 'x'
";

const APP: &str = "\
from flask import Flask
from shop.views import index


def make_app():
    app = Flask(__name__)
    app.add_url_rule('/', view_func=index)
    return app


make_app()
";

fn project() -> Project {
    let project = Project::new();
    project.write("shop/__init__.py", "");
    project.write("shop/views.py", VIEWS);
    project.write("shop/app.py", APP);
    project
}

fn labelled(list: &Value) -> Vec<(&str, &str)> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let (name, label) = (&it["symbol"]["name"], &it["label"]);
            (name.as_str().unwrap_or(""), label.as_str().unwrap_or(""))
        })
        .collect()
}

#[test]
fn a_registration_is_listed_with_callers_and_callees_under_its_own_label() {
    let project = project();
    let answer = project.json(&["code-intelligence", "findCallers", "--symbol-id", "shop::views::index"]);
    assert_eq!(labelled(&answer["callers"]), [("make_app", "registers")]);
    assert_eq!(answer["callers"][0]["how"], "framework");
    let answer = project.json(&["code-intelligence", "findCallees", "--symbol-id", "make_app"]);
    assert_eq!(labelled(&answer["callees"]), [("index", "registers")]);
    let text = project
        .run(&["code-intelligence", "findCallers", "--symbol-id", "shop::views::index"])
        .stdout;
    assert!(text.contains(" registers\n"), "{text}");
}

#[test]
fn a_symbol_says_who_registers_it_and_counts_no_call() {
    let project = project();
    let answer = project.json(&["symbol-detail", "shop::views::index", "--expand", "Callers"]);
    assert_eq!(answer["caller_count"], 0);
    let by = answer["registered_by"][0].as_str().unwrap();
    assert!(by.ends_with("shop::app::make_app"), "{by}");
    let answer = project.json(&["symbol-detail", "make_app", "--expand", "Callees"]);
    let what = answer["registers"][0].as_str().unwrap();
    assert!(what.ends_with("shop::views::index"), "{what}");
}

#[test]
fn the_graph_labels_the_edge() {
    let project = project();
    let graph = project.run(&["export", "graph"]).stdout;
    let edges: Vec<Value> = graph
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|row: &Value| row["label"] == "registers")
        .collect();
    assert_eq!(edges.len(), 1, "{edges:?}");
    assert_eq!(edges[0]["kind"], "References");
}

#[test]
fn decorators_of_frameworks_tag_a_symbol() {
    let project = Project::new();
    project.write(
        "api.py",
        "from fastapi import FastAPI\napp = FastAPI()\n@app.post('/x')\ndef add():\n    pass\n",
    );
    project.write(
        "web.py",
        "from flask import Flask\napp = Flask(__name__)\n@app.route('/', methods=['GET', 'PUT'])\n@login_required\ndef index():\n    pass\n@app.route('/y')\ndef plain():\n    pass\n",
    );
    let tags = |fqn: &str| {
        let answer = project.json(&["symbol-detail", fqn, "--expand", "Decorators"]);
        answer["tags"].clone()
    };
    let index = serde_json::json!({
        "auth": "flask", "flask": "flask", "http-endpoint": "flask", "http-get": "flask", "http-put": "flask",
    });
    assert_eq!(tags("web::index"), index);
    assert_eq!(tags("web::plain")["http-get"], "flask");
    let add = serde_json::json!({ "fastapi": "fastapi", "http-endpoint": "fastapi", "http-post": "fastapi" });
    assert_eq!(tags("api::add"), add);
}
