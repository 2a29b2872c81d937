#!/usr/bin/env bash
# Runs every test of the workspace. Needs Rust and a C compiler; uses cargo-nextest where it is installed.
set -euo pipefail
cd "$(dirname "$0")/.."

if cargo nextest --version >/dev/null 2>&1; then
  cargo nextest run --workspace --locked "$@"
else
  echo "cargo-nextest is not installed; running the same tests with cargo test" >&2
  # `--all-targets` leaves out documentation tests, which run below in both cases.
  cargo test --workspace --all-targets --locked "$@"
fi
cargo test --workspace --doc --locked --quiet
