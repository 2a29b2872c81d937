//! Code inside something else: what is shown is the code, where it stands is the file.

use serde_json::json;

use crate::project::Project;

/// A notebook with an image of this many bytes before its last cell.
fn notebook(n_image: usize) -> String {
    format!(
        r#"{{
 "cells": [
  {{
   "cell_type": "markdown",
   "source": ["def not_this(): pass"]
  }},
  {{
   "cell_type": "code",
   "source": [
    "%matplotlib inline\n",
    "from shop.models import Order\n",
    "def load_orders(path=\"a\\n\"):\n",
    "    return Order()\n"
   ],
   "outputs": [{{"data": {{"image/png": "{}"}}}}]
  }},
  {{
   "cell_type": "code",
   "source": "if True:\n    def show_orders(x):\n        return \"\u00e9\", load_orders()"
  }}
 ]
}}
"#,
        "A".repeat(n_image)
    )
}

#[test]
fn the_source_of_a_notebook_is_its_code_with_lines_of_the_file() {
    let project = Project::new();
    project.write("tour.ipynb", &notebook(3_000_000));
    let source = project.json(&["symbol-source", "load_orders"]);
    assert_eq!(
        source["source"],
        json!("def load_orders(path=\"a\\n\"):\n    return Order()")
    );
    assert_eq!(
        (&source["start_line"], &source["end_line"], &source["cell"]),
        (&json!(12), &json!(13), &json!(2)),
        "{source}"
    );
    assert_eq!(source["language"], json!("python"));
    // A string for the whole cell: all its lines stand on one line of the file.
    let source = project.json(&["symbol-source", "show_orders"]);
    assert_eq!(
        source["source"],
        json!("    def show_orders(x):\n        return \"é\", load_orders()")
    );
    assert_eq!(
        (&source["start_line"], &source["end_line"], &source["cell"]),
        (&json!(19), &json!(19), &json!(3)),
        "{source}"
    );
}

#[test]
fn an_edit_of_a_notebook_moves_its_positions() {
    let project = Project::new();
    project.write("tour.ipynb", &notebook(10));
    assert_eq!(project.json(&["symbol-source", "load_orders"])["start_line"], json!(12));
    let edited = notebook(10).replace("\"%matplotlib inline\\n\",", "\"x = 1\\n\",\n    \"y = 2\\n\",");
    project.write("tour.ipynb", &edited);
    let source = project.json(&["symbol-source", "load_orders"]);
    assert_eq!(
        (&source["start_line"], &source["source"]),
        (
            &json!(13),
            &json!("def load_orders(path=\"a\\n\"):\n    return Order()")
        )
    );
}

#[test]
fn a_component_keeps_its_places_and_a_template_uses_its_script() {
    let project = Project::new();
    project.write(
        "web/Card.vue",
        "<template>\n  <p @click=\"closeCard\">{{ closeCard() }}</p>\n</template>\n<script setup>\nfunction closeCard() {\n  return 1\n}\n</script>\n",
    );
    let source = project.json(&["symbol-source", "closeCard"]);
    assert_eq!(
        (&source["start_line"], &source["source"]),
        (&json!(5), &json!("function closeCard() {\n  return 1\n}"))
    );
    let uses = project.run(&["export", "references", "--format", "jsonl"]).stdout;
    let is_use = |line: &&str| line.contains("\"closeCard\"") && line.contains("web/Card.vue");
    assert_eq!(uses.lines().filter(is_use).count(), 2, "{uses}");
    assert!(
        uses.lines().filter(is_use).all(|line| line.contains("::closeCard")),
        "{uses}"
    );
}
