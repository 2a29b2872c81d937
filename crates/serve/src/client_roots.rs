//! The folders that a client says it works in.

use std::path::PathBuf;

/// The folder of a `file://` address; none for other addresses.
pub(crate) fn folder_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    // What stands before the path is a host, which is this one or empty.
    let path = &rest[rest.find('/')?..];
    let decoded = percent_decoded(path)?;
    // `/C:/work` names a drive.
    let is_drive =
        decoded.as_bytes().get(2) == Some(&b':') && decoded.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic);
    Some(PathBuf::from(if is_drive { &decoded[1..] } else { decoded.as_str() }))
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            let digits = std::str::from_utf8(&digits).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::folder_of;

    #[test]
    fn addresses_of_files_are_folders() {
        assert_eq!(
            folder_of("file:///work/my%20shop").as_deref(),
            Some(Path::new("/work/my shop"))
        );
        assert_eq!(folder_of("file://localhost/work").as_deref(), Some(Path::new("/work")));
        assert_eq!(folder_of("file:///C:/work").as_deref(), Some(Path::new("C:/work")));
        assert_eq!(folder_of("https://example.org/work"), None);
        assert_eq!(folder_of("file:///bad%2"), None);
    }
}
