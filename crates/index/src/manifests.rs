//! Packages: which folders have a manifest, and what it calls them.

mod name;

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use strata_lang::workspace::{Package, parent};

use self::name::Named;

/// A kind of manifest.
struct Marker {
    /// Tag of the package.
    tag: &'static str,
    /// What the file's name has to be.
    matches: fn(&str) -> bool,
    /// What the text says.
    read: fn(&str, &str) -> Named,
}

/// The kinds, in the order in which they win when one folder has several.
const MARKERS: &[Marker] = &[
    Marker {
        tag: "npm",
        matches: |name| name == "package.json",
        read: |_, text| name::npm(text),
    },
    Marker {
        tag: "python",
        matches: |name| name == "pyproject.toml",
        read: |_, text| name::pyproject(text),
    },
    Marker {
        tag: "python",
        matches: |name| name == "setup.cfg",
        read: |_, text| name::setup_cfg(text),
    },
    Marker {
        tag: "python",
        matches: |name| name == "setup.py",
        read: |_, _| Named::Nameless,
    },
    Marker {
        tag: "cargo",
        matches: |name| name == "Cargo.toml",
        read: |_, text| name::cargo(text),
    },
    Marker {
        tag: "go",
        matches: |name| name == "go.mod",
        read: |_, text| name::go_mod(text),
    },
    Marker {
        tag: "csproj",
        matches: |name| name.ends_with(".csproj"),
        read: name::csproj,
    },
    Marker {
        tag: "maven",
        matches: |name| name == "pom.xml",
        read: |_, text| name::pom(text),
    },
    Marker {
        tag: "gradle",
        matches: |name| matches!(name, "build.gradle" | "build.gradle.kts"),
        read: |_, _| Named::Nameless,
    },
    Marker {
        tag: "gem",
        matches: |name| name.ends_with(".gemspec"),
        read: name::gemspec,
    },
    Marker {
        tag: "cmake",
        matches: |name| name == "CMakeLists.txt",
        read: |_, text| name::cmake(text),
    },
];

/// True when a file of this name may make its folder a package.
pub(crate) fn is_manifest(file_name: &str) -> bool {
    MARKERS.iter().any(|marker| (marker.matches)(file_name))
}

/// The packages that the manifests make, in the order of their folders, and notes about those that could not be read.
///
/// A folder is one package. When it has several manifests, one with a name goes before one without, a private
/// `package.json`, which mostly names tools, goes after others, and then the order of the table decides. A second
/// package of a name is `name#2`, in path order.
pub(crate) fn packages(manifests: &BTreeMap<String, String>, root_name: &str) -> (Vec<Package>, Vec<String>) {
    let mut notes = Vec::new();
    let mut best: BTreeMap<&str, (u8, usize, &str, Option<String>)> = BTreeMap::new();
    for (path, text) in manifests {
        let file_name = path.rsplit('/').next().unwrap_or(path);
        let Some(rank) = MARKERS.iter().position(|marker| (marker.matches)(file_name)) else {
            continue;
        };
        let (order, name) = match (MARKERS[rank].read)(file_name, text) {
            Named::Name(name) => (0, Some(name)),
            Named::Private(name) => (1, name),
            Named::Nameless => (2, None),
            Named::Broken(why) => {
                notes.push(format!("{path}: {why}; the folder's name is used"));
                (3, None)
            }
            Named::NoPackage => continue,
        };
        let candidate = (order, rank, path.as_str(), name);
        let folder = parent(path);
        match best.get(folder) {
            Some(held) if (held.0, held.1, held.2) <= (order, rank, path.as_str()) => {}
            Some(_) | None => {
                best.insert(folder, candidate);
            }
        }
    }
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    let packages = best
        .into_iter()
        .map(|(folder, (_, rank, manifest, name))| {
            let folder_name = if folder.is_empty() {
                root_name
            } else {
                folder.rsplit('/').next().unwrap_or(folder)
            };
            let name = name.unwrap_or_else(|| folder_name.to_owned());
            let n = seen.entry(name.clone()).or_default();
            *n += 1;
            let name = if *n > 1 { format!("{name}#{n}") } else { name };
            Package {
                name,
                folder: folder.to_owned(),
                manifest: manifest.to_owned(),
                marker: MARKERS[rank].tag,
            }
        })
        .collect();
    (packages, notes)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::packages;

    fn check(manifests: &[(&str, &str)], expected: &[(&str, &str, &str)]) -> Vec<String> {
        let manifests: BTreeMap<String, String> = manifests
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect();
        let (packages, notes) = packages(&manifests, "root");
        let found: Vec<(&str, &str, &str)> = packages
            .iter()
            .map(|package| (package.folder.as_str(), package.name.as_str(), package.marker))
            .collect();
        assert_eq!(found, expected);
        notes
    }

    #[test]
    fn a_package_is_named_by_its_manifest_else_its_folder() {
        check(
            &[
                ("package.json", r#"{"name": "@shop/root"}"#),
                ("a/pyproject.toml", "[build-system]\n"),
                ("setup.cfg", ""),
            ],
            &[("", "@shop/root", "npm"), ("a", "a", "python")],
        );
    }

    #[test]
    fn equal_names_are_numbered_in_path_order() {
        check(
            &[
                ("b/package.json", r#"{"name": "x"}"#),
                ("a/Cargo.toml", "[package]\nname = \"x\""),
            ],
            &[("a", "x", "cargo"), ("b", "x#2", "npm")],
        );
    }

    #[test]
    fn a_private_manifest_yields_to_one_that_is_published() {
        check(
            &[
                ("package.json", r#"{"name": "tools", "private": true}"#),
                ("pyproject.toml", "[project]\nname = \"lib\""),
                ("web/package.json", r#"{"name": "web", "private": true}"#),
            ],
            &[("", "lib", "python"), ("web", "web", "npm")],
        );
    }

    #[test]
    fn a_broken_manifest_still_makes_a_package_and_is_noted() {
        let notes = check(&[("a/package.json", "{")], &[("a", "a", "npm")]);
        assert_eq!(notes.len(), 1);
        assert!(notes[0].starts_with("a/package.json: "));
    }

    #[test]
    fn a_workspace_manifest_is_no_package() {
        check(
            &[
                ("Cargo.toml", "[workspace]\nmembers = []"),
                ("CMakeLists.txt", "add_library(x y.c)"),
            ],
            &[],
        );
    }
}
