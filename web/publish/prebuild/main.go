// Command prebuild compiles the programs for browsers, which tools/release.sh embeds in the programs of a release:
//
//	go run ./web/publish/prebuild && go build -tags release ./cmd/viz
package main

import (
	"context"
	"log"

	"attnatlas/web/publish"
)

func main() {
	programs, err := publish.Build(context.Background(), ".")
	if err == nil {
		err = programs.WritePrebuilt("web/publish")
	}
	if err != nil {
		log.Fatal(err)
	}
}
