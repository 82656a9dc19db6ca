//go:build js && wasm

// Command browser is the server in a browser: the handler of the pages, compiled to WebAssembly. JavaScript calls it
// instead of a network. It needs the files of engine/fetched. When it is ready, it calls
//
//	atlasReady(answer), where
//	answer({method, url, headers: {name: value}}) → Promise<{status, headers: [[name, value], …], body: Uint8Array}>
//
// and url is absolute. atlasBase is the path prefix of the pages, without a slash at its end. atlasVersion is the
// version of the program. atlasFigures maps the addresses of figures on a server to their files in the folder.
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
	select {} // requests may come as long as the page is open
}

// newServer returns a server of the models whose files can be fetched: own models, or else the bundled ones.
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
		Access:  site.Access{Hosts: []string{"*"}}, // no other client can reach this server
		Base:    base,
		Live:    site.Live{Program: program},
	})
	if err == nil {
		server.Published, server.Figures = true, figures(js.Global().Get("atlasFigures"))
	}
	return server, err
}

// figures returns the files of figures by their addresses on a server.
func figures(object js.Value) map[string]string {
	files := map[string]string{}
	pairs := js.Global().Get("Object").Call("entries", object)
	for i := range pairs.Length() {
		files[pairs.Index(i).Index(0).String()] = pairs.Index(i).Index(1).String()
	}
	return files
}

// program fetches the program of live figures, at the first live figure.
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
