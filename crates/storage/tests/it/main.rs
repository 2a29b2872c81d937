//! What a store promises to those who write and read it.

mod batches;
mod history;
mod opening;
mod sample;
mod views;
