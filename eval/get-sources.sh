#!/usr/bin/env bash
# Lays out the sources that the measurements run on, each at the exact version that its truth was made from.
#
# usage: eval/get-sources.sh [FOLDER]      (default: $XTASK_CORPORA, else target/corpora)
#
# Needs python3 with pip, npm and tar, and their registries. What is complete already is left alone.
set -euo pipefail

folder=${1:-${XTASK_CORPORA:-$(cd "$(dirname "$0")/.." && pwd)/target/corpora}}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

# Calls `fill NAME VERSION` with a fresh folder for the sources, unless an earlier run has finished it.
lay_out() {
  local fill=$1 name=$2 version=$3
  local sources=$folder/$name-$version
  if [ ! -e "$sources/.complete" ]; then
    rm -rf "$sources"
    mkdir -p "$sources"
    (cd "$sources" && "$fill" "$name" "$version")
    touch "$sources/.complete"
  fi
  echo "$sources"
}

# The package as pip installs it, without its dependencies.
python_package() {
  python3 -m pip install --quiet --no-deps --no-compile --disable-pip-version-check --root-user-action=ignore --target . "$1==$2"
  rm -rf bin
}

# The source archive, which holds tests and tools beside the package.
python_archive() {
  python3 -m pip download --quiet --no-deps --no-binary :all: --disable-pip-version-check --dest .archive "$1==$2"
  tar -xzf .archive/*.tar.gz --strip-components=1
  rm -rf .archive
}

# The package as npm publishes it.
npm_package() {
  npm pack --silent "$1@$2" >/dev/null
  tar -xzf ./*.tgz --strip-components=1
  rm ./*.tgz
}

# With truth beside this script.
lay_out python_package flask 3.1.3
lay_out python_package requests 2.34.2
lay_out python_package starlette 0.49.1
lay_out npm_package zod 4.1.12
lay_out npm_package redux 5.0.1
lay_out npm_package axios 1.13.2

# For `cargo xtask bench`.
lay_out python_archive django 5.2.8
