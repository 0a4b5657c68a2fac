#!/bin/sh
# Builds the scanner of known weaknesses into GOBIN or ~/go/bin. Go 1.26.5 or newer.
set -eu
go install github.com/google/osv-scanner/v2/cmd/osv-scanner@v2.5.0
