#!/bin/sh
# What a release has beside its archives and its chart, made in their folder: the list of contents of each archive, the
# compose files with their images by digest, and the sum of every file.
#   release-files.sh FOLDER NAME=IMAGE@sha256:…    for each image that deploy/compose/.env.example names
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(cd "$1" && pwd)
shift
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$root/package.json")

for archive in "$folder"/*.tar.zst; do
  name=$(basename "$archive" .tar.zst)
  tar -xOf "$archive" "$name/sbom.cdx.json" >"$folder/$name.sbom.cdx.json"
done

draft=$(mktemp -d)
trap 'rm -rf "$draft"' EXIT
compose="tenure-$version-compose"
mkdir "$draft/$compose"
# what git knows: the folder may have secrets of an installation
git -C "$root" archive HEAD:deploy/compose | tar -xf - -C "$draft/$compose"
example="$draft/$compose/.env.example"
for image in "$@"; do
  sed -i "s|^${image%%=*}=.*|$image|" "$example"
done
if loose=$(grep '_IMAGE=' "$example" | grep -v '@sha256:'); then
  echo "An image has no digest: $loose" >&2
  exit 1
fi
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git -C "$root" log -1 --format=%ct)" \
  -C "$draft" -cf - "$compose" | gzip -n >"$folder/$compose.tar.gz"

cd "$folder"
LC_ALL=C ls | grep -E '\.(tar\.zst|sbom\.cdx\.json|tar\.gz|tgz)$|^image\.txt$' | xargs sha256sum >SHA256SUMS
