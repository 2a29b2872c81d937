//! What a language knows of frameworks: rules as plain data, one table a framework.
//!
//! A framework calls what it has been given: the function under `@app.route(…)`, the second argument of `path(…)`. Such a
//! place *registers* a function; it does not call it. A framework also makes values that no code spells out: what a test's
//! parameter holds, what `Model.objects` is. Both are known only where a name *resolves* to the framework: a rule speaks of
//! paths such as `pypi:flask.Flask().route`, which is what resolution gives for a member of an instance of `flask.Flask`.
//! An object named `app` of which nothing is known is no application.
//!
//! Fingerprints are the exception. They go by the text of a decorator, need no resolution, and only describe.

/// One framework.
#[derive(Debug)]
pub struct Framework {
    /// Its name, which is also a tag: `flask`.
    pub name: &'static str,
    /// Its packages as outcomes name them: `pypi:flask`.
    pub packages: &'static [&'static str],
    /// What registers handlers.
    pub registrations: &'static [Registration],
    /// Members of a class that make a handler of it: `as_view`.
    pub makers: &'static [&'static str],
    /// Tags by decorator, in order.
    pub fingerprints: &'static [Fingerprint],
    /// Functions whose result tests get by the name of a parameter.
    pub fixtures: Option<&'static Fixtures>,
    /// What its functions and members give.
    pub values: &'static [Value],
    /// Files that it finds by their place.
    pub entries: Option<&'static Entries>,
}

impl Framework {
    /// A framework about which nothing is said: what a table starts from.
    pub const EMPTY: Self = Self {
        name: "",
        packages: &[],
        registrations: &[],
        makers: &[],
        fingerprints: &[],
        fixtures: None,
        values: &[],
        entries: None,
    };

    /// The last two names of a path below one of the packages; none for a path of something else.
    ///
    /// `pypi:flask.Flask().route` has the names `Flask` and `route`, whether the application was made or declared. What
    /// stands directly in the package has no first name, what calling the package itself gives has `()`:
    /// `npm:express().get`. A default export is its package.
    #[must_use]
    pub fn names_in<'p>(&self, path: &'p str) -> Option<(&'p str, &'p str)> {
        let rest = self.packages.iter().find_map(|package| {
            let rest = path.strip_prefix(package)?;
            (rest.is_empty() || rest.starts_with(['.', '(', '/'])).then_some(rest)
        })?;
        let (before, last) = rest.rsplit_once('.').unwrap_or(("", rest));
        let before = before.strip_suffix(".default").unwrap_or(before);
        let of = match before.rsplit(['.', '/']).next().unwrap_or(before) {
            "" | "default" => "",
            "()" | "default()" => "()",
            name => name.trim_end_matches("()").trim_end_matches("[]"),
        };
        Some((of, last.trim_end_matches("()")))
    }
}

/// Members of a framework: any of the names on any of the owners.
#[derive(Debug)]
pub struct Members {
    /// Classes or modules; the empty name is the package itself.
    pub on: &'static [&'static str],
    /// Names of their members.
    pub names: &'static [&'static str],
}

impl Members {
    /// True for one of these members.
    #[must_use]
    pub fn has(&self, on: &str, name: &str) -> bool {
        self.names.contains(&name) && self.on.contains(&on)
    }
}

/// A call or decorator that hands the framework something to call.
#[derive(Debug)]
pub struct Registration {
    /// What is called or decorates.
    pub by: Members,
    /// What is handed over.
    pub what: Handed,
}

/// What a registration hands over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handed {
    /// The decorated definition.
    Decorated,
    /// Every argument by position, from this one on.
    From(u8),
    /// The argument at a position, or by that name.
    Argument(u8, &'static str),
    /// The module that the argument at a position names, as text or by its name.
    Module(u8),
    /// The elements of these properties of the object that is the first argument; the decorated definition registers them.
    Properties(&'static [&'static str]),
}

/// A tag by the text of a decorator.
#[derive(Debug)]
pub struct Fingerprint {
    /// The decorator starts with this: `app.route`.
    pub decorator: &'static str,
    /// The tags that it gives.
    pub tags: &'static [&'static str],
    /// The verb that it stands for, where it is an endpoint.
    pub verb: Option<Verb>,
}

/// How an endpoint says which HTTP method it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Always this one.
    Is(&'static str),
    /// Those that the argument `methods` lists, else `get`.
    Listed,
}

/// Functions that a test framework calls for the parameters of tests.
#[derive(Debug)]
pub struct Fixtures {
    /// The decorator that makes a function one.
    pub decorator: Members,
    /// The argument of the decorator that names it otherwise.
    pub name_argument: &'static str,
    /// A file of this name has fixtures for all files in and below its folder.
    pub shared_file: &'static str,
    /// Start of the names of test functions and methods.
    pub test_prefix: &'static str,
    /// Fixtures that the framework brings along: name, and path of their value.
    pub builtin: &'static [(&'static str, &'static str)],
    /// Decorators whose text arguments name fixtures that the decorated test uses.
    pub using: Members,
    /// Members whose text argument names the fixture that the call gives.
    pub by_name: Members,
    /// Decorators whose first argument names parameters that they give values to.
    pub given: Members,
    /// The argument with which such a decorator gives values to the fixtures instead.
    pub indirect_argument: &'static str,
}

/// What a function or member of a framework gives.
#[derive(Debug)]
pub struct Value {
    /// What is called, read or decorates.
    pub of: Members,
    /// What it gives.
    pub gives: Made,
}

/// A value that a framework makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// Called with a function: what that gives, awaited and without the generator around it.
    Injected,
}

/// Files that a framework finds by their place below the folder of its configuration.
#[derive(Debug)]
pub struct Entries {
    /// A file of one of these names makes its folder the project's.
    pub marker_files: &'static [&'static str],
    /// What is found where.
    pub places: &'static [EntryPlace],
}

/// Files in a folder whose exports a framework calls.
#[derive(Debug)]
pub struct EntryPlace {
    /// Folders below the project's.
    pub folders: &'static [&'static str],
    /// Names of the files without their suffix; empty: every file.
    pub stems: &'static [&'static str],
    /// The exports that are called.
    pub exports: &'static [&'static str],
    /// The tags of what they export.
    pub tags: &'static [&'static str],
}

#[cfg(test)]
mod tests {
    use super::Framework;

    #[track_caller]
    fn check(package: &'static str, path: &str, expected: Option<(&str, &str)>) {
        let packages: &'static [&'static str] = vec![package].leak();
        let framework = Framework {
            packages,
            ..Framework::EMPTY
        };
        assert_eq!(framework.names_in(path), expected, "{path}");
    }

    #[test]
    fn a_path_ends_in_an_owner_and_a_member() {
        check("pypi:flask", "pypi:flask.Flask().route", Some(("Flask", "route")));
        check("pypi:flask", "pypi:flask.app.Flask.route", Some(("Flask", "route")));
        check("pypi:django", "pypi:django.urls.path", Some(("urls", "path")));
        check("pypi:celery", "pypi:celery.shared_task", Some(("", "shared_task")));
    }

    #[test]
    fn a_package_can_be_what_is_called() {
        check("npm:express", "npm:express().get", Some(("()", "get")));
        check("npm:express", "npm:express.default().get", Some(("()", "get")));
        check(
            "npm:express",
            "npm:express.default.Router().get",
            Some(("Router", "get")),
        );
        check("npm:express", "npm:express.get", Some(("", "get")));
    }

    #[test]
    fn another_package_is_another_one() {
        check("npm:express", "npm:express-session().get", None);
        check("pypi:flask", "pypi:flask_login.login_required", None);
    }
}
