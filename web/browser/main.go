//go:build js && wasm

// Command browser is the server in a browser: the handler of the pages, compiled to WebAssembly, which JavaScript
// calls instead of a network. It needs engine/fetched's files, and says that it is ready:
//
//	atlasReady(answer), where
//	answer({method, url, headers: {name: value}}) → Promise<{status, headers: [[name, value], …], body: Uint8Array}>
//
// and url is absolute. atlasBase is the path under which the pages are, without a slash at its end; atlasVersion is the
// version of the program, atlasFigures has the names of the folder's figures by their addresses on a server.
package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"syscall/js"

	"attnatlas/engine/fetched"
	"attnatlas/web/atlas"
	"attnatlas/web/live"
	"attnatlas/web/site"
)

func main() {
	server, err := newServer(js.Global().Get("atlasBase").String())
	if err != nil {
		js.Global().Get("atlasFailed").Invoke(err.Error())
		return
	}
	answer := js.FuncOf(func(_ js.Value, args []js.Value) any { return promise(server, args[0]) })
	js.Global().Get("atlasReady").Invoke(answer)
	select {} // requests come as long as the page is open
}

// newServer is that of the models whose files can be fetched: own ones, or the shipped ones.
func newServer(base string) (*site.Server, error) {
	own := fetched.Folder(fetched.Own)
	files, err := fs.ReadDir(own, ".")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		own = nil
	}
	server, err := atlas.New(own, site.Options{
		Version: js.Global().Get("atlasVersion").String(),
		Log:     slog.New(slog.NewTextHandler(os.Stderr, nil)),
		Access:  site.Access{Hosts: []string{"*"}}, // nobody else can ask
		Base:    base,
		Live:    site.Live{Program: program},
	})
	if err == nil {
		server.Published, server.Figures = true, figures(js.Global().Get("atlasFigures"))
	}
	return server, err
}

// figures are the files of figures by their addresses on a server.
func figures(object js.Value) map[string]string {
	files := map[string]string{}
	pairs := js.Global().Get("Object").Call("entries", object)
	for i := range pairs.Length() {
		files[pairs.Index(i).Index(0).String()] = pairs.Index(i).Index(1).String()
	}
	return files
}

// program is that of live figures, which is fetched when one is asked for.
func program(context.Context) (*live.Program, error) {
	var errs []error
	read := func(name string) []byte {
		data, err := fs.ReadFile(fetched.Folder(fetched.Live), name)
		errs = append(errs, err)
		return data
	}
	p := &live.Program{WASM: read("atlas.wasm.lzma"), Exec: read("wasm_exec.js"), Kernel: read("kernel.wasm")}
	return p, errors.Join(errs...)
}
