//! Keeps two processes from doing the same work twice.
//!
//! The lock is a file in the index folder that says who indexes. It is a courtesy: what keeps the index sound is the
//! transaction of the store, so a lock that is taken over wrongly costs time and nothing else.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::error::IndexError;
use crate::report::{Control, LockMode};

/// Name of the file.
const LOCK_NAME: &str = "indexing.lock";
/// How often a waiting process looks again.
const POLL: Duration = Duration::from_millis(500);
/// A lock that cannot be read is being written; after this long it is a leftover.
const UNREADABLE_AGE: Duration = Duration::from_secs(10);

/// The lock; given back when dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    content: String,
}

impl Lock {
    /// Takes the lock of an index folder, which is made if need be.
    pub(crate) fn take(folder: &Path, control: &Control<'_>) -> Result<Self, IndexError> {
        let folder_error = |source| IndexError::IndexFolder {
            folder: folder.to_owned(),
            source,
        };
        fs::create_dir_all(folder).map_err(folder_error)?;
        let path = folder.join(LOCK_NAME);
        let content = own_content();
        loop {
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    if let Err(source) = file.write_all(content.as_bytes()) {
                        drop(file);
                        // The lock says nothing yet, so nobody relies on it.
                        let _ = fs::remove_file(&path);
                        return Err(folder_error(source));
                    }
                    return Ok(Self { path, content });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(source) => return Err(folder_error(source)),
            }
            match holder(&path) {
                Holder::Alive(pid) => match control.lock {
                    LockMode::Try => return Err(IndexError::Busy { pid }),
                    LockMode::Wait => std::thread::sleep(POLL),
                },
                // Whoever else removes it first has done the same.
                Holder::Gone => drop(fs::remove_file(&path)),
            }
            control.check()?;
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if fs::read_to_string(&self.path).is_ok_and(|content| content == self.content) {
            // Left behind, it is taken over by the next process as that of a dead one.
            let _ = fs::remove_file(&self.path);
        }
    }
}

enum Holder {
    Alive(u32),
    Gone,
}

fn own_content() -> String {
    let pid = std::process::id();
    let started_at = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    json!({"pid": pid, "startedAt": started_at, "host": host(), "processStart": process_start(pid)}).to_string()
}

fn holder(path: &Path) -> Holder {
    let Ok(content) = fs::read_to_string(path) else {
        return Holder::Gone;
    };
    let value: Value = serde_json::from_str(&content).unwrap_or(Value::Null);
    let Some(pid) = value["pid"].as_u64().and_then(|pid| u32::try_from(pid).ok()) else {
        let age = fs::metadata(path)
            .and_then(|metadata| metadata.modified())
            .ok()
            .and_then(|time| time.elapsed().ok());
        return if age.is_some_and(|age| age > UNREADABLE_AGE) {
            Holder::Gone
        } else {
            Holder::Alive(0)
        };
    };
    if value["host"].as_str() != Some(&host()) {
        return Holder::Alive(pid);
    }
    // A number is given to a new process sooner or later, so the time of its start has to agree, too.
    let is_same =
        process_start(pid).is_none_or(|start| value["processStart"].as_str().is_none_or(|held| held == start));
    if is_alive(pid) && is_same {
        Holder::Alive(pid)
    } else {
        Holder::Gone
    }
}

fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").or_else(|_| fs::read_to_string("/etc/hostname"));
    name.map_or_else(|_| "localhost".to_owned(), |name| name.trim().to_owned())
}

fn is_alive(pid: u32) -> bool {
    if Path::new("/proc/self").exists() {
        return Path::new(&format!("/proc/{pid}")).exists();
    }
    if cfg!(unix) {
        let kill = std::process::Command::new("/bin/kill")
            .args(["-0", &pid.to_string()])
            .output();
        return kill.is_ok_and(|output| output.status.success());
    }
    true
}

/// When the process started, in the system's own ticks; none where the system does not say.
fn process_start(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is a name in parentheses that may hold anything; the start is the 22nd.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_ascii_whitespace().nth(19).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{LOCK_NAME, Lock, host};
    use crate::error::IndexError;
    use crate::report::{Control, LockMode};

    fn take(folder: &std::path::Path) -> Result<Lock, IndexError> {
        Lock::take(
            folder,
            &Control {
                lock: LockMode::Try,
                ..Control::default()
            },
        )
    }

    #[test]
    fn a_second_taker_is_told_who_holds_it() {
        let folder = tempfile::tempdir().unwrap();
        let lock = take(folder.path()).unwrap();
        assert!(matches!(take(folder.path()), Err(IndexError::Busy { pid }) if pid == std::process::id()));
        drop(lock);
        assert!(take(folder.path()).is_ok());
        assert!(!folder.path().join(LOCK_NAME).exists());
    }

    #[test]
    fn the_lock_of_a_dead_process_is_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        let content = format!(r#"{{"pid":4294967294,"startedAt":0,"host":"{}"}}"#, host());
        fs::write(folder.path().join(LOCK_NAME), content).unwrap();
        assert!(take(folder.path()).is_ok());
    }

    #[test]
    fn the_lock_of_another_machine_is_respected() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(LOCK_NAME), r#"{"pid":1,"host":"elsewhere.invalid"}"#).unwrap();
        assert!(matches!(take(folder.path()), Err(IndexError::Busy { pid: 1 })));
    }
}
