#!/usr/bin/env bash
# Tests the running service against its own OpenAPI document: with spectral, with clients that three generators make, and
# with schemathesis. Needs Python 3.11 or later with venv, npm and Go; what else it needs is put into the user's cache
# directory once, in pinned versions. Ends with a line `N passed, N failed`. With `--only-generators` it leaves
# schemathesis out; other arguments go on to schemathesis.
set -euo pipefail
cd "$(dirname "$0")/../.."

pins=test/schemathesis/requirements.txt
tools="${XDG_CACHE_HOME:-$HOME/.cache}/council-report-service/schemathesis-$(sha256sum "$pins" | cut -c1-12)"
if [ ! -e "$tools/complete" ]; then
  rm -rf "$tools"
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps -r "$pins"
  touch "$tools/complete"
fi
GENERATOR_TOOLS=$(bash test/generators/install.sh)
export GENERATOR_TOOLS

# The whole check has built just before.
[ "${IS_BUILT:-}" = yes ] || npm run --silent build
node_modules/.bin/tsc -p test/schemathesis/tsconfig.json
PATH="$tools/bin:$PATH" exec node dist/schemathesis/test/schemathesis/main.js "$@"
