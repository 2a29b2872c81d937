//! Calls lead to what is declared; what may run instead is asked for and answered apart.

use serde_json::{Value, json};

use crate::project::Project;

const SHAPES: &str = "\
from abc import abstractmethod
from typing import Protocol


class Shape:
    def area(self):
        return 0

    def name(self):
        return 'shape'


class Disc(Shape):
    def area(self):
        return 3


class Ring(Disc):
    pass


class _Hidden(Shape):
    def area(self):
        return 7


class Square(Shape):
    def area(self):
        return 4


class Closer(Protocol):
    def close(self): ...

    def flush(self): ...


class File:
    def close(self):
        pass

    def flush(self):
        pass


class Door:
    def close(self):
        pass


class Task:
    @abstractmethod
    def run(self): ...


class OnlyTask(Task):
    def run(self):
        pass


def draw(shape: Shape):
    shape.area()


def draw_disc(disc: Disc):
    disc.area()


def draw_one():
    Shape().area()


def shut(closer: Closer):
    closer.close()


def work(task: Task):
    task.run()


Ring()
";

fn project() -> Project {
    let project = Project::new();
    project.write("shop/shapes.py", SHAPES);
    project
}

fn ask(project: &Project, operation: &str, symbol: &str) -> Value {
    project.json(&["code-intelligence", operation, "--symbol-id", symbol])
}

/// The dispatch of the only callee.
#[track_caller]
fn dispatch(project: &Project, caller: &str) -> Value {
    let answer = ask(project, "findCallees", caller);
    let callee = answer["callees"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["symbol"]["kind"] == "method");
    callee.map_or(Value::Null, |it| it["dispatch"].clone())
}

fn callers(answer: &Value) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let callers = answer["callers"].as_array().unwrap();
    callers
        .iter()
        .map(|it| (word(&it["symbol"]["name"]), word(&it["via"])))
        .collect()
}

#[test]
fn what_may_run_is_in_the_classes_of_which_there_are_instances() {
    let project = project();
    // A ring is made and has the area of a disc; nobody can make what is hidden.
    assert_eq!(
        dispatch(&project, "draw"),
        json!({
            "count": 2,
            "targets": ["store::shop::shapes::Disc::area"],
            "maybe": ["store::shop::shapes::Square::area"],
        })
    );
    // Below the receiver's own type there is nothing else, and an instance that is made there is of its class.
    assert_eq!(dispatch(&project, "draw_disc"), Value::Null);
    assert_eq!(dispatch(&project, "draw_one"), Value::Null);
    let text = project
        .run(&["code-intelligence", "findCallees", "--symbol-id", "draw"])
        .stdout;
    let line = "  dispatch 2: store::shop::shapes::Disc::area, store::shop::shapes::Square::area maybe\n";
    assert!(text.contains(line), "{text}");
}

#[test]
fn the_only_implementation_and_those_by_shape_are_marked() {
    let project = project();
    let sole = dispatch(&project, "work");
    assert_eq!((&sole["count"], &sole["label"]), (&json!(1), &json!("sole-impl")));
    let by_shape = dispatch(&project, "shut");
    assert_eq!(
        by_shape["structural"],
        json!(["store::shop::shapes::File::close"]),
        "{by_shape}"
    );
}

#[test]
fn callers_of_the_declared_member_are_listed_apart() {
    let project = project();
    let answer = ask(&project, "findCallers", "Disc.area");
    let via = "store::shop::shapes::Shape::area".to_owned();
    assert_eq!(
        callers(&answer),
        [
            ("draw_disc".to_owned(), String::new()),
            ("draw".to_owned(), via.clone())
        ]
    );
    assert_eq!(answer["callers"][1]["label"], json!("via-dispatch"));
    assert!(answer["callers"][0].get("label").is_none());
    assert_eq!(
        callers(&ask(&project, "findCallers", "Square.area")),
        [("draw".to_owned(), via)]
    );
    let detail = project.json(&["symbol-detail", "Disc.area"]);
    assert_eq!(
        (&detail["caller_count"], &detail["dispatched_caller_count"]),
        (&json!(1), &json!(1))
    );
}

#[test]
fn an_edited_subclass_is_in_the_next_answer() {
    let project = project();
    dispatch(&project, "draw");
    project.write(
        "shop/more.py",
        "from shop.shapes import Shape\n\n\nclass Poly(Shape):\n    def area(self):\n        return 5\n\n\nPoly()\n",
    );
    let with = dispatch(&project, "draw");
    assert_eq!(
        (&with["count"], &with["targets"][1]),
        (&json!(3), &json!("store::shop::shapes::Disc::area"))
    );
    assert_eq!(with["targets"][0], json!("store::shop::more::Poly::area"));
    project.write(
        "shop/more.py",
        "from shop.shapes import Shape\n\n\nclass Poly(Shape):\n    pass\n",
    );
    assert_eq!(dispatch(&project, "draw")["count"], json!(2));
}

#[test]
fn the_next_class_is_decided_by_the_instance() {
    let project = Project::new();
    let text = "\
class A:
    def m(self): ...


class B(A):
    def m(self):
        super().m()


class C(A):
    def m(self): ...


class D(B, C):
    pass


D()
";
    project.write("shop/diamond.py", text);
    let found = dispatch(&project, "B.m");
    assert_eq!(found["targets"], json!(["store::shop::diamond::C::m"]), "{found}");
    assert_eq!(
        callers(&ask(&project, "findCallers", "shop::diamond::C::m")),
        [("m".to_owned(), "store::shop::diamond::A::m".to_owned())]
    );
}

#[test]
fn interfaces_are_implemented_by_classes_and_objects() {
    let project = Project::new();
    let text = "\
export interface Shape { area(): number; name: string }
class Disc implements Shape { name = 'disc'; area = () => 3; }
const unit: Shape = { name: 'unit', area() { return 1; } };
class Same { name = 'same'; area() { return 2; } }
class Less { area() { return 2; } }
export function draw(shape: Shape) { return shape.area(); }
export const all = [new Disc(), unit, new Same()];
";
    project.write("web/src/shapes.ts", text);
    let found = dispatch(&project, "draw");
    assert_eq!(
        found,
        json!({
            "count": 3,
            "targets": ["@shop/web::shapes::Disc::area", "@shop/web::shapes::unit::area"],
            "structural": ["@shop/web::shapes::Same::area"],
        })
    );
}
