//go:build js && wasm

// Command program is the engine of a live figure, compiled to WebAssembly. It contains web/live/figures, but
// nothing that draws files or serves pages. It needs the files of engine/fetched and the texts of engine/messages.
// When it is ready, it calls
//
//	atlasReady(answer), where answer(request) → Promise<answer>
//
// Requests and answers are JSON, of the types figures.Request and figures.Answer.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"attnatlas/engine"
	"attnatlas/web/live/figures"
)

func main() {
	e := engine.New()
	answer := js.FuncOf(func(_ js.Value, args []js.Value) any { return promise(e, args[0].String()) })
	js.Global().Get("atlasReady").Invoke(answer)
	select {} // requests may come as long as the page is open
}

// promise answers a request in its own goroutine, because a caller from JavaScript must not wait.
func promise(e *engine.Engine, request string) js.Value {
	work := js.FuncOf(func(_ js.Value, settle []js.Value) any {
		go func() {
			said, err := answered(e, request)
			if err != nil {
				settle[1].Invoke(js.Global().Get("Error").New(err.Error()))
				return
			}
			settle[0].Invoke(said)
		}()
		return nil
	})
	defer work.Release() // a Promise calls it immediately
	return js.Global().Get("Promise").New(work)
}

func answered(e *engine.Engine, request string) (string, error) {
	var r figures.Request
	if err := json.Unmarshal([]byte(request), &r); err != nil {
		return "", err
	}
	said, err := json.Marshal(figures.Of(context.Background(), e, r))
	return string(said), err
}
