package publish

import (
	"os"
	"path/filepath"

	"attnatlas/engine/simd128"
	"attnatlas/web/live"
)

// prebuiltFolder is where tools/release.sh puts the programs, which the build tag release embeds. Git ignores it.
const prebuiltFolder = "prebuilt"

// files are the parts of the programs by their names in prebuiltFolder.
func (p *Program) files() map[string]*[]byte {
	return map[string]*[]byte{"atlas.wasm.gz": &p.WASM, "wasm_exec.js": &p.Exec, "live.wasm.lzma": &p.Live.WASM}
}

// Prebuilt returns the programs that this build carries. Those of a release do; other builds carry none, and get nil.
func Prebuilt() *Program {
	p := &Program{Live: &live.Program{Kernel: simd128.Kernel}}
	for name, part := range p.files() {
		data, err := prebuilt.ReadFile(prebuiltFolder + "/" + name)
		if err != nil { // no file is missing when one is there: the directive embed names them all
			return nil
		}
		*part = data
	}
	p.Live.Exec = p.Exec
	return p
}

// WritePrebuilt writes the programs below dir, the folder of this package, for a build with the tag release.
func (p *Program) WritePrebuilt(dir string) error {
	folder := filepath.Join(dir, prebuiltFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, part := range p.files() {
		if err := os.WriteFile(filepath.Join(folder, name), *part, 0o644); err != nil {
			return err
		}
	}
	return nil
}
