//! Compact forms of what is stored as a blob.
