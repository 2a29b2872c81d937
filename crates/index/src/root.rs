//! Which folders are no roots: those that hold a whole machine or a whole user.

use std::path::Path;

use crate::error::IndexError;

/// Top-level folders of systems, which hold users, programs or devices, not projects.
const SYSTEM_FOLDERS: &[&str] = &[
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/home",
    "/lib",
    "/lib64",
    "/proc",
    "/run",
    "/sbin",
    "/sys",
    "/usr",
    "/var",
    "/Users",
    "/System",
    "/Library",
    "/Applications",
    "/private",
];

/// Refuses roots that were most likely given by mistake, by name: the file system's root, the home folder and those
/// above it, and system folders. `home` is the user's home folder, if it is known. Whoever means it skips this check.
///
/// # Errors
/// [`IndexError::RootTooWide`].
pub fn check_root(root: &Path, home: Option<&Path>) -> Result<(), IndexError> {
    let real = root.canonicalize().map_err(|source| IndexError::Root {
        root: root.to_owned(),
        source,
    })?;
    let home = home.and_then(|home| home.canonicalize().ok());
    let what = if real.parent().is_none() {
        "the root of the file system"
    } else if home.as_ref() == Some(&real) {
        "the home folder"
    } else if home.is_some_and(|home| home.starts_with(&real)) {
        "a folder around the home folder"
    } else if SYSTEM_FOLDERS.iter().any(|folder| real == Path::new(folder)) {
        "a system folder"
    } else {
        return Ok(());
    };
    Err(IndexError::RootTooWide { root: real, what })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::check_root;

    #[test]
    fn wide_roots_are_refused_by_name() {
        let parent = tempfile::tempdir().unwrap();
        let home = parent.path().join("me");
        let project = home.join("project");
        std::fs::create_dir_all(&project).unwrap();
        let message = |root: &Path| check_root(root, Some(&home)).map_err(|error| error.to_string());
        assert!(message(&home).unwrap_err().contains("the home folder"));
        assert!(message(parent.path()).unwrap_err().contains("around the home folder"));
        assert!(message(Path::new("/")).is_err());
        assert!(message(&project).is_ok());
    }
}
