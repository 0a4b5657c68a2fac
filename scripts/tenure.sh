#!/bin/sh
# Runs a command of Tenure with the Node and the libraries of this release.
set -eu
home=$(dirname "$(dirname "$(readlink -f "$0")")")
# the folder as it was named, links to it included: a reload looks again where they lead
self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in /*) self=$target ;; *) self=$(dirname "$self")/$target ;; esac
done
TENURE_HOME=$(cd "$(dirname "$self")/.." && pwd -L)
export TENURE_HOME
# minimal systems lack a library that Node needs
export LD_LIBRARY_PATH="$home/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export NODE_ENV="${NODE_ENV:-production}"
# a user without a line in /etc/passwd has none
export HOME="${HOME:-/}"
limits=
# as `npm start` has them
if [ "${1:-}" = start ]; then limits='--max-semi-space-size=8 --max-old-space-size=1024'; fi
# shellcheck disable=SC2086 -- two words
exec "$home/bin/node" $limits --import "$home/scripts/compile-cache.mjs" "$home/scripts/tenure.ts" "$@"
