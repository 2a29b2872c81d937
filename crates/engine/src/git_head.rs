//! The commit that is checked out, read from git's own files: no process is started for it.

use std::path::{Path, PathBuf};

/// The commit that the repository around `root` has checked out; none outside a repository, or before the first commit.
#[must_use]
pub(crate) fn head_commit(root: &Path) -> Option<String> {
    let git = git_folder(root)?;
    let head = read_line(&git.join("HEAD"))?;
    let Some(reference) = head.strip_prefix("ref: ") else {
        return is_commit(&head).then_some(head);
    };
    // A linked worktree keeps its HEAD, and shares the branches.
    let common = read_line(&git.join("commondir")).map_or_else(|| git.clone(), |common| git.join(common));
    let direct = [&git, &common]
        .into_iter()
        .find_map(|folder| read_line(&folder.join(reference)));
    direct
        .or_else(|| packed(&common, reference))
        .filter(|commit| is_commit(commit))
}

/// The folder with git's files for the repository around `root`.
fn git_folder(root: &Path) -> Option<PathBuf> {
    let dot_git = root
        .ancestors()
        .map(|folder| folder.join(".git"))
        .find(|dot_git| dot_git.exists())?;
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    let target = read_line(&dot_git)?;
    Some(dot_git.parent()?.join(target.strip_prefix("gitdir: ")?))
}

fn read_line(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    text.lines()
        .next()
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty())
}

fn packed(git: &Path, reference: &str) -> Option<String> {
    let text = std::fs::read_to_string(git.join("packed-refs")).ok()?;
    text.lines()
        .find_map(|line| line.strip_suffix(reference)?.strip_suffix(' '))
        .map(str::to_owned)
}

fn is_commit(text: &str) -> bool {
    text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::head_commit;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn branch_packed_branch_detached_head_and_worktree() {
        let folder = tempfile::tempdir().unwrap();
        let git = folder.path().join(".git");
        fs::create_dir_all(git.join("refs/heads")).unwrap();
        let root = folder.path().join("src");
        fs::create_dir_all(&root).unwrap();
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        assert_eq!(head_commit(&root), None);

        fs::write(
            git.join("packed-refs"),
            format!("# pack-refs\n{COMMIT} refs/heads/main\n"),
        )
        .unwrap();
        assert_eq!(head_commit(&root).as_deref(), Some(COMMIT));

        let newer = COMMIT.replace('0', "f");
        fs::write(git.join("refs/heads/main"), format!("{newer}\n")).unwrap();
        assert_eq!(head_commit(&root), Some(newer.clone()));

        fs::write(git.join("HEAD"), format!("{COMMIT}\n")).unwrap();
        assert_eq!(head_commit(&root).as_deref(), Some(COMMIT));

        let linked = folder.path().join("linked");
        let private = git.join("worktrees/linked");
        fs::create_dir_all(&linked).unwrap();
        fs::create_dir_all(&private).unwrap();
        fs::write(linked.join(".git"), format!("gitdir: {}\n", private.display())).unwrap();
        fs::write(private.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::write(private.join("commondir"), "../..\n").unwrap();
        assert_eq!(head_commit(&linked), Some(newer));
    }
}
