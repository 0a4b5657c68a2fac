#!/bin/sh
# Builds tools of `npm run test:deploy` that Debian does not have, into GOBIN or ~/go/bin. Go 1.25 or newer.
set -eu
go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
go install helm.sh/helm/v3/cmd/helm@v3.19.5
