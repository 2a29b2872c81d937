//! Files that a framework finds by their place: what they export is called without being named anywhere.

use strata_lang::framework::{Entries, EntryPlace};
use strata_lang::workspace::within;
use strata_model::ids::FileIx;

use super::{Registration, RegistrationKind};
use crate::program::{Program, Target};

impl Program<'_> {
    pub(super) fn add_entries(&mut self, file: FileIx, entries: &Entries, out: &mut Vec<Registration>) {
        let path = self.workspace.path(file).to_owned();
        let Some(place) = self.entry_place(&path, entries) else {
            return;
        };
        let facts = self.facts(file);
        for export in &facts.exports {
            if !place.exports.contains(&facts.str(export.name)) {
                continue;
            }
            for target in self.export_source(file, export.source) {
                let Target::Symbol(symbol) = target else { continue };
                if symbol.is_module() || self.is_library(symbol.file) {
                    continue;
                }
                self.look_up_def(symbol);
                out.push(Registration {
                    at: export.at,
                    owner: None,
                    target: symbol,
                    kind: RegistrationKind::Registers,
                    name: export.name,
                });
            }
        }
    }

    /// The first place that a path fits, below a folder that holds the framework's configuration.
    fn entry_place<'e>(&mut self, path: &str, entries: &'e Entries) -> Option<&'e EntryPlace> {
        for place in entries.places {
            for folder in place.folders {
                for project in projects(path, folder, place.stems) {
                    let mut markers = entries.marker_files.iter();
                    let is_project = markers.any(|marker| self.file_at(&within(project, marker)).is_some());
                    if is_project {
                        return Some(place);
                    }
                }
            }
        }
        None
    }
}

/// The folders that a path would be an entry of if they held the configuration.
fn projects<'p>(path: &'p str, folder: &str, stems: &[&str]) -> Vec<&'p str> {
    let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    if !stems.is_empty() && !stems.contains(&stem) {
        return Vec::new();
    }
    if stems.is_empty() || !folder.is_empty() && folder != "src" {
        // Anywhere below the folder.
        let inner = format!("{folder}/");
        let mut out = Vec::new();
        if path.starts_with(&inner) {
            out.push("");
        }
        let slashes = path.match_indices('/').map(|(at, _)| at);
        out.extend(
            slashes
                .filter(|at| path[at + 1..].starts_with(&inner))
                .map(|at| &path[..at]),
        );
        return out;
    }
    // Directly in the folder.
    if above == folder {
        return vec![""];
    }
    if folder.is_empty() {
        return vec![above];
    }
    let end = format!("/{folder}");
    above.strip_suffix(end.as_str()).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::projects;

    #[test]
    fn a_file_belongs_to_every_folder_that_could_be_the_project() {
        assert_eq!(projects("pages/a/index.tsx", "pages", &[]), [""]);
        assert_eq!(projects("web/pages/pages/x.tsx", "pages", &[]), ["web", "web/pages"]);
        assert_eq!(projects("web/app/a/page.tsx", "app", &["page"]), ["web"]);
        assert!(projects("web/app/a/button.tsx", "app", &["page"]).is_empty());
        assert!(projects("web/myapp/page.tsx", "app", &["page"]).is_empty());
    }

    #[test]
    fn some_files_stand_in_the_project_itself() {
        assert_eq!(projects("web/middleware.ts", "", &["middleware"]), ["web"]);
        assert_eq!(projects("web/src/middleware.ts", "src", &["middleware"]), ["web"]);
        assert!(projects("web/lib/middleware.ts", "src", &["middleware"]).is_empty());
    }
}
