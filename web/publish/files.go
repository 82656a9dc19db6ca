package publish

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed" // the scripts
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/messages"
	"attnatlas/engine/recording"
	"attnatlas/engine/simd128"
	"attnatlas/engine/typeface"
	"attnatlas/static"
	"attnatlas/web/live"
)

//go:embed sw.js
var workerScript string

//go:embed boot.js
var bootScript []byte

// programRoot is where the program's files are, as sw.js has it.
const programRoot = "program/"

// icon is a file of those that pages load.
const icon = "icon.svg"

// smallFile is the size up to which a file comes with the list of all files.
const smallFile = 64 << 10

// firstFile comes with it whatever its size is: the program reads it when it starts.
const firstFile = "weights/results.json"

// list says which files there are besides the program: engine/fetched's sizes, and what is in the small ones, a
// character for each byte; and the texts of the program, by language.
type list struct {
	Sizes map[string]int    `json:"sizes"`
	Small map[string]string `json:"small"`
	Texts map[string]string `json:"texts"`
	// Static is the path of the files that pages load: fonts are not in the program.
	Static string `json:"static"`
}

// besides are the files that the program fetches: weights, what they begin with, recordings, fonts.
func besides() (map[string][]byte, error) {
	files := map[string][]byte{}
	add := func(to string, folder fs.FS) error {
		entries, err := fs.ReadDir(folder, ".")
		for _, e := range entries {
			if path.Ext(e.Name()) == ".md" || e.Name() == "README" {
				continue
			}
			data, err := fs.ReadFile(folder, e.Name())
			if err != nil {
				return err
			}
			files[path.Join(to, e.Name())] = data
		}
		return err
	}
	if err := add("weights", checkpoint.Folder()); err != nil {
		return nil, err
	}
	for _, name := range slices.Collect(maps.Keys(files)) {
		id, model := strings.CutSuffix(name, checkpoint.Extension+checkpoint.Compressed)
		if !model {
			continue
		}
		header, err := checkpoint.Cut(files[name])
		if err != nil {
			return nil, err
		}
		files[id+checkpoint.HeaderExtension] = header
	}
	for _, name := range typeface.Files() {
		files["typefaces/"+name] = typeface.File(name)
	}
	return files, add("recordings", recording.Folder())
}

// program are the files of a version of the program, by their names below its folder.
func program(p *Program) (map[string][]byte, error) {
	all, err := besides()
	if err != nil {
		return nil, err
	}
	l := list{Sizes: map[string]int{}, Small: map[string]string{}, Texts: map[string]string{messages.English.Tag(): messages.English.Packed("")}, Static: strings.TrimSuffix(static.URL(icon), icon)}
	kernel, err := simd128.Kernel()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"wasm_exec.js": p.Exec, "engine.js": live.Engine, "kernel.wasm": kernel}
	if p.Live != nil {
		all["live/atlas.wasm.gz"], all["live/wasm_exec.js"], all["live/kernel.wasm"] = p.Live.WASM, p.Live.Exec, p.Live.Kernel
	}
	for name, data := range all {
		l.Sizes[name] = len(data)
		if len(data) <= smallFile || name == firstFile {
			l.Small[name] = characters(data)
		} else {
			files[name] = data
		}
	}
	if files["files.json"], err = json.Marshal(l); err != nil {
		return nil, err
	}
	files["atlas.wasm.gz"], err = packed(p.WASM)
	return files, err
}

// characters has a character for each byte, of which text compresses better than in base64.
func characters(data []byte) string {
	all := make([]rune, len(data))
	for i, b := range data {
		all[i] = rune(b)
	}
	return string(all)
}

// packed is a file compressed with gzip, as small as it gets.
func packed(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

// hash is of the names and contents of files.
func hash(files map[string][]byte) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		part := sha256.Sum256(files[name])
		sum.Write([]byte(name + "\x00"))
		sum.Write(part[:])
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:9])
}

// assets are the files that pages load, by their addresses.
func assets() map[string][]byte {
	files := map[string][]byte{}
	for _, name := range static.Names() {
		files[strings.TrimPrefix(static.URL(name), "/")] = static.Content(name)
	}
	return files
}
