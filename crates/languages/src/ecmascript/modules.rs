//! Which file a module is, in ECMAScript.
//!
//! The rules are those of bundlers and of TypeScript's compiler rolled into one: relative names with or without
//! extension, `.js` that means a `.ts`, folders with an `index`, `paths` of the closest `tsconfig.json`, the `exports`
//! and `imports` of packages in the workspace. Output that is not indexed (`dist/index.js`) is led back to the source it
//! is made from.

use strata_lang::workspace::{is_below, join, parent, within};
use strata_lang::{ModuleResolver, Probes, SpecTarget, Workspace};
use strata_model::ids::FileIx;

use super::builtins::is_node_module;
use super::packages::{Manifest, Manifests, split};
use super::tsconfig::{AllSettings, best_matches};

/// Extensions in the order in which they are tried.
const EXTENSIONS: &[&str] = &[".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
/// Extensions of components, which are always written.
const COMPONENT_EXTENSIONS: &[&str] = &[".vue", ".svelte"];
/// What a written extension may stand for.
const SUBSTITUTES: &[(&str, &[&str])] = &[
    (".js", &[".ts", ".tsx"]),
    (".jsx", &[".tsx"]),
    (".mjs", &[".mts"]),
    (".cjs", &[".cts"]),
];
/// Extensions that a path in a manifest may have; what is before is the module.
const OUTPUT_EXTENSIONS: &[&str] = &[
    ".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs",
];
/// Folders that hold what is made of `src`.
const OUTPUT_FOLDERS: &[&str] = &[
    "dist", "lib", "build", "out", "es", "esm", "cjs", "umd", "types", "typings",
];

/// Module resolution for one state of the workspace.
struct Modules {
    manifests: Manifests,
    settings: AllSettings,
}

/// Prepares module resolution.
pub(crate) fn module_resolver(workspace: &Workspace) -> Box<dyn ModuleResolver + '_> {
    let manifests = Manifests::new(workspace);
    let settings = AllSettings::new(workspace, &|name| manifests.named(name, "").map(|it| it.folder.clone()));
    Box::new(Modules { manifests, settings })
}

impl ModuleResolver for Modules {
    fn resolve(&self, from: FileIx, spec: &str, probes: &Probes<'_>) -> SpecTarget {
        let folder = parent(probes.workspace().path(from));
        if let Some(file) = self.find(folder, spec, probes) {
            return SpecTarget::File(file);
        }
        // Bundlers take a query behind the path: `./worker.ts?worker`.
        if let Some((path, _)) = spec.split_once('?')
            && let Some(file) = self.find(folder, path, probes)
        {
            return SpecTarget::File(file);
        }
        self.outside(folder, spec)
    }
}

impl Modules {
    fn find(&self, folder: &str, spec: &str, probes: &Probes<'_>) -> Option<FileIx> {
        if is_relative(spec) {
            return self.module_at(&join(folder, spec)?, probes);
        }
        if spec.starts_with('#')
            && let Some(file) = self.package_import(folder, spec, probes)
        {
            return Some(file);
        }
        if let Some(settings) = self.settings.of(folder) {
            let patterns = settings
                .paths
                .iter()
                .map(|(pattern, targets)| (pattern.as_str(), targets));
            for (targets, star) in best_matches(patterns, spec) {
                for target in targets {
                    if let Some(file) = self.module_at(&target.replacen('*', star, 1), probes) {
                        return Some(file);
                    }
                }
            }
            if let Some(base) = &settings.base_url
                && let Some(path) = join(base, spec)
                && let Some(file) = self.module_at(&path, probes)
            {
                return Some(file);
            }
        }
        if is_node_module(spec) {
            return None;
        }
        let (name, subpath) = split(spec);
        let manifest = self.manifests.named(name, folder)?;
        self.package_module(manifest, subpath, probes)
    }

    /// What a name that leads to no file means.
    fn outside(&self, folder: &str, spec: &str) -> SpecTarget {
        if is_relative(spec) || spec.starts_with('/') || spec.starts_with('#') || spec.is_empty() {
            return SpecTarget::Unresolved;
        }
        if is_node_module(spec) {
            let name = spec.strip_prefix("node:").unwrap_or(spec);
            return external("system", name);
        }
        if let Some(rest) = spec.strip_prefix("npm:") {
            let (name, _) = split(rest);
            let name = name
                .rsplit_once('@')
                .map_or(name, |(name, _)| if name.is_empty() { rest } else { name });
            return external("npm", name);
        }
        if let Some((scheme, _)) = spec.split_once(':')
            && scheme.chars().all(|it| it.is_ascii_alphanumeric())
        {
            return external("system", spec);
        }
        let (name, _) = split(spec);
        if self.manifests.named(name, folder).is_some() {
            return SpecTarget::Unresolved;
        }
        external("npm", name)
    }

    /// The module at a path without extension, with one, or with the extension of what is made of it.
    fn module_at(&self, path: &str, probes: &Probes<'_>) -> Option<FileIx> {
        if let Some(file) = file_at(path, probes) {
            return Some(file);
        }
        if !probes.has_folder(path) {
            return None;
        }
        if let Some(manifest) = self.manifests.in_folder(path)
            && !path.is_empty()
        {
            for entry in manifest.entries() {
                if let Some(file) = self.source_of(manifest, entry, probes) {
                    return Some(file);
                }
            }
        }
        file_at(&within(path, "index"), probes)
    }

    // ---- packages -----------------------------------------------------------------------------------------------------

    fn package_import(&self, folder: &str, spec: &str, probes: &Probes<'_>) -> Option<FileIx> {
        let manifest = self.manifests.around(folder)?;
        for target in manifest.imported(spec) {
            let found = if target.starts_with('.') {
                self.source_of(manifest, &target, probes)
            } else {
                let (name, subpath) = split(&target);
                self.manifests
                    .named(name, folder)
                    .and_then(|it| self.package_module(it, subpath, probes))
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The module of a package that `subpath` names; the empty path is the package itself.
    fn package_module(&self, manifest: &Manifest, subpath: &str, probes: &Probes<'_>) -> Option<FileIx> {
        let key = if subpath.is_empty() {
            ".".to_owned()
        } else {
            format!("./{subpath}")
        };
        if let Some(targets) = manifest.exported(&key) {
            for target in targets {
                if let Some(file) = self.source_of(manifest, &target, probes) {
                    return Some(file);
                }
            }
        }
        if subpath.is_empty() {
            for entry in manifest.entries() {
                if let Some(file) = self.source_of(manifest, entry, probes) {
                    return Some(file);
                }
            }
            return ["src/index", "index", "lib/index", "src/main"]
                .iter()
                .find_map(|path| file_at(&within(&manifest.folder, path), probes));
        }
        self.source_of(manifest, subpath, probes)
            .or_else(|| self.module_at(&within(&manifest.folder, &format!("src/{subpath}")), probes))
    }

    /// The source behind a path that a manifest names: output folders are led back first, then the path itself counts.
    fn source_of(&self, manifest: &Manifest, target: &str, probes: &Probes<'_>) -> Option<FileIx> {
        let path = join(&manifest.folder, target)?;
        let stem = without_output_extension(&path);
        for (out, source) in self.settings.outputs_in(&manifest.folder) {
            if out.is_empty() || !is_below(stem, out) || stem.len() <= out.len() {
                continue;
            }
            let rest = &stem[out.len() + 1..];
            let sources = match source {
                Some(source) => vec![source.clone()],
                None => vec![within(&manifest.folder, "src"), manifest.folder.clone()],
            };
            for source in sources {
                if let Some(file) = self.module_at(&within(&source, rest), probes) {
                    return Some(file);
                }
            }
        }
        if let Some(file) = self.source_by_custom(manifest, stem, probes) {
            return Some(file);
        }
        self.module_at(&path, probes).or_else(|| self.module_at(stem, probes))
    }

    /// `dist/a.js` and `dist/esm/a.js` are made of `src/a.ts` unless settings say otherwise.
    fn source_by_custom(&self, manifest: &Manifest, stem: &str, probes: &Probes<'_>) -> Option<FileIx> {
        let below = if manifest.folder.is_empty() {
            stem
        } else {
            stem.get(manifest.folder.len() + 1..)?
        };
        let (first, mut rest) = below.split_once('/')?;
        if !OUTPUT_FOLDERS.contains(&first) && !first.starts_with("dist") {
            return None;
        }
        let source = within(&manifest.folder, "src");
        loop {
            if let Some(file) = self.module_at(&within(&source, rest), probes) {
                return Some(file);
            }
            match rest.split_once('/') {
                Some((next, deeper)) if OUTPUT_FOLDERS.contains(&next) || next == "src" => rest = deeper,
                _ => return None,
            }
        }
    }
}

fn external(ecosystem: &'static str, package: &str) -> SpecTarget {
    SpecTarget::External {
        ecosystem,
        package: package.to_owned(),
    }
}

fn is_relative(spec: &str) -> bool {
    spec == "." || spec == ".." || spec.starts_with("./") || spec.starts_with("../")
}

/// The source file at a path, whose extension may be missing or that of the compiler's output.
fn file_at(path: &str, probes: &Probes<'_>) -> Option<FileIx> {
    for (written, substitutes) in SUBSTITUTES {
        if let Some(stem) = path.strip_suffix(written) {
            for substitute in *substitutes {
                if let Some(file) = probes.file(&format!("{stem}{substitute}")) {
                    return Some(file);
                }
            }
        }
    }
    if (EXTENSIONS.iter().chain(COMPONENT_EXTENSIONS)).any(|extension| path.ends_with(extension))
        && let Some(file) = probes.file(path)
    {
        return Some(file);
    }
    if path.is_empty() || path.ends_with('/') {
        return None;
    }
    EXTENSIONS
        .iter()
        .find_map(|extension| probes.file(&format!("{path}{extension}")))
}

fn without_output_extension(path: &str) -> &str {
    OUTPUT_EXTENSIONS
        .iter()
        .find_map(|extension| path.strip_suffix(extension))
        .unwrap_or(path)
}

/// The module part of a name: the path below the package without extension and without a leading `src`; `index` folds
/// into its folder, except at the top, where a module keeps its stem.
pub(crate) fn module_segments(path_in_package: &str) -> Vec<String> {
    let stem = (EXTENSIONS.iter().chain(COMPONENT_EXTENSIONS))
        .find_map(|it| path_in_package.strip_suffix(it))
        .unwrap_or(path_in_package);
    let mut segments: Vec<&str> = stem.split('/').collect();
    if segments.len() > 1 && segments[0] == "src" {
        segments.remove(0);
    }
    if segments.len() > 1 && segments.last() == Some(&"index") {
        segments.pop();
    }
    segments.into_iter().map(str::to_owned).collect()
}

/// True when a folder or the file's name says that it holds tests.
pub(crate) fn is_test_path(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "test",
        "tests",
        "__tests__",
        "__mocks__",
        "__fixtures__",
        "spec",
        "specs",
        "e2e",
        "cypress",
    ];
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    folder.split('/').any(|segment| FOLDERS.contains(&segment))
        || [".test.", ".spec.", ".test-d.", ".e2e.", ".cy.", "-test.", "_test."]
            .iter()
            .any(|it| name.contains(it))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use strata_lang::{Probes, SpecTarget, Workspace};

    use super::{is_test_path, module_resolver, module_segments};

    fn check(paths: &[&str], configs: &[(&str, &str)], asks: &[(&str, &str, &str)]) {
        let paths = paths.iter().map(ToString::to_string).collect();
        let configs: BTreeMap<String, String> = configs
            .iter()
            .map(|(path, text)| (path.to_string(), text.to_string()))
            .collect();
        let workspace = Workspace::new(paths, configs, Vec::new());
        let resolver = module_resolver(&workspace);
        let probes = Probes::new(&workspace);
        for (from, spec, expected) in asks {
            let from = workspace.file(from).unwrap();
            let found = match resolver.resolve(from, spec, &probes) {
                SpecTarget::File(file) => workspace.path(file).to_owned(),
                SpecTarget::External { ecosystem, package } => format!("{ecosystem}:{package}"),
                SpecTarget::Folders(folders) => folders.join(","),
                SpecTarget::Unresolved => "?".to_owned(),
            };
            assert_eq!(&found, expected, "{spec}");
        }
    }

    #[test]
    fn relative_names_find_files_and_folders() {
        check(
            &[
                "a/b.ts",
                "a/c.tsx",
                "a/d/index.tsx",
                "a/e.mts",
                "a/f.js",
                "g.ts",
                "a/h.d.ts.ts",
            ],
            &[],
            &[
                ("a/b.ts", "./c.js", "a/c.tsx"),
                ("a/b.ts", "./c", "a/c.tsx"),
                ("a/b.ts", "./d", "a/d/index.tsx"),
                ("a/b.ts", "./d/index.js", "a/d/index.tsx"),
                ("a/b.ts", "./e.mjs", "a/e.mts"),
                ("a/b.ts", "./f.js", "a/f.js"),
                ("a/b.ts", "../g", "g.ts"),
                ("a/b.ts", "./c?raw", "a/c.tsx"),
                ("a/b.ts", "../../x", "?"),
                ("a/b.ts", "./missing", "?"),
                ("a/b.ts", "./data.json", "?"),
            ],
        );
    }

    #[test]
    fn names_from_outside_are_external() {
        check(
            &["a.ts"],
            &[],
            &[
                ("a.ts", "fs/promises", "system:fs/promises"),
                ("a.ts", "node:test", "system:test"),
                ("a.ts", "lodash/map", "npm:lodash"),
                ("a.ts", "@org/core/deep", "npm:@org/core"),
                ("a.ts", "npm:chalk@5", "npm:chalk"),
                ("a.ts", "virtual:pwa", "system:virtual:pwa"),
            ],
        );
    }

    #[test]
    fn paths_of_the_closest_settings_win() {
        check(
            &[
                "src/lib/a.ts",
                "src/x/b.ts",
                "packages/p/src/c.ts",
                "packages/p/code/lib/a.ts",
                "types/z.ts",
            ],
            &[
                (
                    "tsconfig.base.json",
                    r#"{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"], "@/x/*": ["src/x/*"], "~": ["./src/lib/a"], }, } } // end"#,
                ),
                (
                    "tsconfig.json",
                    r#"{ "extends": "./tsconfig.base", "compilerOptions": {} }"#,
                ),
                (
                    "packages/p/tsconfig.json",
                    r#"{ "extends": ["../../tsconfig.base.json"], "compilerOptions": { "paths": { "@/*": ["${configDir}/code/*"] } } }"#,
                ),
            ],
            &[
                ("src/x/b.ts", "@/lib/a", "src/lib/a.ts"),
                ("src/x/b.ts", "@/x/b", "src/x/b.ts"),
                ("src/x/b.ts", "~", "src/lib/a.ts"),
                ("src/x/b.ts", "types/z", "types/z.ts"),
                ("packages/p/src/c.ts", "@/lib/a", "packages/p/code/lib/a.ts"),
            ],
        );
    }

    #[test]
    fn solution_files_hand_over_to_what_they_refer_to() {
        check(
            &["src/a.ts", "src/b.ts"],
            &[
                (
                    "tsconfig.json",
                    r#"{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }"#,
                ),
                (
                    "tsconfig.app.json",
                    r#"{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }"#,
                ),
            ],
            &[("src/a.ts", "@/b", "src/b.ts")],
        );
    }

    #[test]
    fn packages_of_the_workspace_lead_to_their_sources() {
        check(
            &[
                "packages/core/src/index.ts",
                "packages/core/src/deep/x.ts",
                "packages/core/src/internal.ts",
                "packages/ui/code/index.tsx",
                "packages/old/index.js",
                "packages/app/src/a.ts",
            ],
            &[
                (
                    "packages/core/package.json",
                    r##"{ "name": "@org/core", "exports": { ".": { "types": "./dist/index.d.ts", "import": "./dist/index.mjs" }, "./deep/*": "./dist/esm/deep/*.js" }, "imports": { "#internal": "./dist/internal.js" } }"##,
                ),
                (
                    "packages/ui/package.json",
                    r#"{ "name": "ui", "main": "./output/index.js" }"#,
                ),
                (
                    "packages/ui/tsconfig.build.json",
                    r#"{ "compilerOptions": { "outDir": "output", "rootDir": "code" } }"#,
                ),
                ("packages/old/package.json", r#"{ "name": "old" }"#),
            ],
            &[
                ("packages/app/src/a.ts", "@org/core", "packages/core/src/index.ts"),
                (
                    "packages/app/src/a.ts",
                    "@org/core/deep/x",
                    "packages/core/src/deep/x.ts",
                ),
                ("packages/app/src/a.ts", "@org/core/nothing", "?"),
                ("packages/app/src/a.ts", "ui", "packages/ui/code/index.tsx"),
                ("packages/app/src/a.ts", "old", "packages/old/index.js"),
                (
                    "packages/core/src/index.ts",
                    "#internal",
                    "packages/core/src/internal.ts",
                ),
                (
                    "packages/core/src/index.ts",
                    "@org/core/deep/x",
                    "packages/core/src/deep/x.ts",
                ),
            ],
        );
    }

    #[test]
    fn modules_are_named_by_their_path() {
        assert_eq!(module_segments("src/core/index.ts"), ["core"]);
        assert_eq!(module_segments("src/index.ts"), ["index"]);
        assert_eq!(module_segments("index.js"), ["index"]);
        assert_eq!(module_segments("lib/a/b.test.tsx"), ["lib", "a", "b.test"]);
    }

    #[test]
    fn tests_are_known_by_name_or_place() {
        assert!(is_test_path("src/a.test.ts"));
        assert!(is_test_path("src/__tests__/a.ts"));
        assert!(is_test_path("tests/a.ts"));
        assert!(!is_test_path("src/testing.ts"));
    }
}
