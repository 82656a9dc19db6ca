#!/bin/sh
# Fails unless the generated files of package tensor are what the generator
# writes today.
set -eu
cd "$(dirname "$0")"
test -z "$(gofmt -l .)"
go vet ./...
go test -count=1 ./...
