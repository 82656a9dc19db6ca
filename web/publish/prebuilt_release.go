//go:build release

package publish

import "embed"

//go:embed prebuilt/atlas.wasm.gz prebuilt/live.wasm.lzma prebuilt/wasm_exec.js
var prebuilt embed.FS
