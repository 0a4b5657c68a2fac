#!/bin/sh
# Builds tools of `npm run test:deploy` that Debian does not have, into GOBIN or ~/go/bin. Go 1.26.5 or newer.
set -eu
go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
go install helm.sh/helm/v3/cmd/helm@v3.19.5
go install sigs.k8s.io/kubectl-validate@v0.0.4
# the version of deploy/compose/compose.s3.yaml
go install github.com/versity/versitygw/cmd/versitygw@v1.8.0

sh "$(dirname "$0")/osv-scanner.sh"

# compose excludes versions of other modules, so it is built from a module that excludes the same
version=v2.40.3
module=$(mktemp -d)
trap 'rm -rf "$module"' EXIT
cd "$module"
source=$(go mod download -json "github.com/docker/compose/v2@$version" | sed -n 's/.*"Dir": "\(.*\)",*/\1/p')
sed 's/^module .*/module tools/' "$source/go.mod" >go.mod
cp "$source/go.sum" .
chmod u+w go.mod go.sum
printf '//go:build tools\n\npackage tools\n\nimport _ "github.com/docker/compose/v2/cmd"\n' >tools.go
go mod edit -require="github.com/docker/compose/v2@$version"
bin=$(go env GOBIN)
go build -mod=mod -o "${bin:-$(go env GOPATH)/bin}/docker-compose" github.com/docker/compose/v2/cmd
