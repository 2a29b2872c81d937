//! The walk, on memory and on disk.

mod disk;
mod memory;
