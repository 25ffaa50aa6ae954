#!/usr/bin/env bash
# Puts the generators and the linter into the user's cache directory once, each in the version that is named here or in
# the files beside this one. Prints their folder. Needs Python, npm and Go, and ends with an error if one is missing.
set -euo pipefail
cd "$(dirname "$0")"

oapi_codegen=github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2

for program in python3 npm go; do
  command -v "$program" >/dev/null && continue
  echo "$program is not on the PATH. The clients that are generated from the OpenAPI document need it; install it." >&2
  exit 1
done

pins=$(cat requirements.txt node/package-lock.json install.sh | sha256sum | cut -c1-12)
tools="${XDG_CACHE_HOME:-$HOME/.cache}/council-report-service/generators-$pins"
if [ ! -e "$tools/complete" ]; then
  rm -rf "$tools"
  mkdir -p "$tools/node"
  {
    python3 -m venv "$tools/python"
    "$tools/python/bin/pip" install --quiet --disable-pip-version-check --no-deps -r requirements.txt
    cp node/package.json node/package-lock.json "$tools/node"
    npm ci --prefix "$tools/node" --ignore-scripts --no-audit --no-fund --silent
    GOBIN="$tools/bin" go install "$oapi_codegen"
  } >&2
  touch "$tools/complete"
fi
echo "$tools"
