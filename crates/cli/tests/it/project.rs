//! A small repository to ask about, and running the binary on it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const FILES: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"store\"\n"),
    ("shop/__init__.py", ""),
    (
        "shop/models.py",
        r#""""Things that are kept."""


class Base:
    """What every record can do."""

    def save(self):
        """Write the record. Returns nothing."""
        validate(self)


class Order(Base):
    """An order of a customer.

    It has lines, and it can be paid once.
    """

    def create(self, name: str) -> "Order":
        """Create an order for a customer."""
        self.save()
        return self

    def total(self):
        return 1 if self else 2


class Invoice(Base):
    def create(self):
        return self.save()


def validate(record):
    """Check a record before it is written."""
    return record
"#,
    ),
    (
        "shop/service.py",
        r#""""What the shop does."""

from shop.models import Order, validate

API_KEY = "qL8vXz3RtYw9KpM2nBc7JhGf5DsAe1Uo"


class OrderService:
    """Creates orders and answers questions about them."""

    def create(self, name: str) -> Order:
        """Create an order."""
        order = Order()
        order.create(name)
        validate(order)
        return order


def handle(service: OrderService):
    service.create("first")
    service.create("second")
"#,
    ),
    ("shop/broken.py", "def half(:\n    pass\n\ndef whole():\n    return 1\n"),
    ("web/package.json", "{ \"name\": \"@shop/web\" }\n"),
    (
        "web/src/cart.ts",
        r"/** A line of the cart. */
export interface Line {
  price: number;
}

/** Adds up the lines of a cart. */
export function sum(lines: Line[]): number {
  return lines.reduce((total, line) => total + line.price, 0);
}
",
    ),
    (
        "web/src/page.tsx",
        r#"import { sum, type Line } from "./cart";

export function renderTotal(lines: Line[]): string {
  return `${sum(lines)}`;
}
"#,
    ),
    ("notes.txt", "nothing to index\n"),
];

/// A repository in a folder of its own, with a home folder beside it.
pub(crate) struct Project {
    folder: TempDir,
}

impl Project {
    pub(crate) fn new() -> Self {
        let project = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        std::fs::create_dir_all(project.home()).unwrap();
        for (path, text) in FILES {
            project.write(path, text);
        }
        project
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("home/shop-repo")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        command_in(&self.root(), &self.home(), arguments)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        Run::of(self.command(arguments).output().unwrap())
    }

    /// Indexes until no file is so young that its time proves nothing.
    pub(crate) fn settle(&self) {
        for _ in 0..500 {
            self.run(&["index", "-q"]);
            if self.json(&["status"])["current"] == true {
                return;
            }
        }
        panic!("the index does not settle: {}", self.json(&["status"]));
    }

    /// Runs a command that prints JSON.
    #[track_caller]
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let run = self.run(&[arguments, &["--json"]].concat());
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
    }
}

/// The binary in a folder, without whatever the test's own environment would bring in.
pub(crate) fn command_in(folder: &Path, home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_strata"));
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("STRATIGRAPH_") || name.starts_with("SEMTREE_") || name == "CLAUDE_PROJECT_DIR" {
            command.env_remove(name);
        }
    }
    command
        .current_dir(folder)
        .env("HOME", home)
        .args(arguments)
        .stdin(Stdio::null());
    command
}

/// What a command gave.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}
