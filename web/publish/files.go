package publish

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed" // the scripts
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"attnatlas/engine/checkpoint"
	"attnatlas/engine/disk"
	"attnatlas/engine/fetched"
	"attnatlas/engine/messages"
	"attnatlas/engine/recording"
	"attnatlas/engine/results"
	"attnatlas/engine/simd128"
	"attnatlas/engine/typeface"
	"attnatlas/static"
	"attnatlas/static/bundle"
	"attnatlas/web/docs"
	"attnatlas/web/live"
)

//go:embed sw.js
var workerScript string

//go:embed boot.js
var bootScript string

//go:embed first.js
var firstScript string

// smallWorker is the file of the worker that answers before the large program is ready.
const smallWorker = "first.js"

// programRoot is the folder of the program's files; sw.js has the same name.
const programRoot = "program/"

// icon is the path of the icon, which pages load.
const icon = "icon.svg"

// smallFile is the size up to which a file is part of the list of all files. Files of results are always part of it,
// because the program reads them when it starts.
const smallFile = 64 << 10

// list describes the files other than the program: the sizes that engine/fetched needs, the contents of the small
// files with a character for each byte, and the texts of the program by language.
type list struct {
	Sizes map[string]int    `json:"sizes"`
	Small map[string]string `json:"small"`
	Texts map[string]string `json:"texts"`
	// Static is the path of the files that pages load. It excludes the fonts that are in the program.
	Static string `json:"static"`
	// Version is the version that pages show.
	Version string `json:"version"`
	// Figures are the names of the figures of the folder by their addresses on a server.
	Figures map[string]string `json:"figures"`
}

// besides returns the files that the program fetches: weights, headers of weights, recordings and fonts. If there is
// a folder of own models, only the headers of the shipped models are needed, to show differences.
func besides(own fs.FS) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range typeface.Files() {
		files[path.Join(fetched.Typefaces, name)] = typeface.File(name)
	}
	documents, err := docs.Packed()
	if err != nil {
		return nil, err
	}
	files[path.Join(fetched.Documents, docs.File)] = documents
	if own == nil {
		return files, errors.Join(add(files, fetched.Weights, checkpoint.Folder()),
			add(files, fetched.Recordings, recording.Folder()))
	}
	shipped := map[string][]byte{}
	err = add(shipped, fetched.Weights, checkpoint.Folder())
	for name, data := range shipped {
		if path.Ext(name) == checkpoint.HeaderExtension {
			files[name] = data
		}
	}
	return files, errors.Join(err, add(files, fetched.Own, own), addResults(files, own))
}

// addResults adds the results of own models that have no file of results, so that the program need not read all
// models.
func addResults(files map[string][]byte, own fs.FS) error {
	r, err := results.Read(own)
	if err != nil {
		return err
	}
	files[path.Join(fetched.Own, results.File)], err = json.Marshal(r)
	return err
}

// add adds the models of a folder: their files, their headers, recordings and results.
func add(files map[string][]byte, to string, folder fs.FS) error {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		id, model := strings.CutSuffix(strings.TrimSuffix(name, checkpoint.Compressed), checkpoint.Extension)
		if !model && path.Ext(name) != recording.Extension && name != results.File {
			continue
		}
		data, err := disk.ReadIn(folder, name, checkpoint.MaxBytes())
		if err != nil {
			return messages.Errorf("publish.model", "file", name, "why", messages.Of(err))
		}
		files[path.Join(to, name)] = data
		if !model {
			continue
		}
		header, err := checkpoint.Cut(data)
		if err != nil {
			return messages.Errorf("publish.model", "file", name, "why", messages.Of(err))
		}
		files[path.Join(to, id+checkpoint.HeaderExtension)] = header
	}
	return nil
}

// program returns the files of a version of the program, by their names below its folder. first are the ids of the
// models of the first view; smallest has the files of the smallest ones first.
func (o Options) program(figures map[string]string, first []string) (files map[string][]byte, smallest []string, err error) {
	p := o.Program
	all, err := besides(o.Own)
	if err != nil {
		return nil, nil, err
	}
	smallest = firstModels(first, all)
	l := list{
		Sizes: map[string]int{}, Small: map[string]string{}, Version: o.Version,
		Texts:  map[string]string{messages.English.Tag(): messages.English.Packed("")},
		Static: strings.TrimSuffix(static.URL(icon), icon), Figures: figures,
	}
	files = map[string][]byte{"wasm_exec.js": p.Exec, "engine.js": live.Engine, "kernel.wasm": simd128.Kernel,
		"atlas.wasm.gz": p.WASM}
	if p.Live != nil {
		for name, data := range map[string][]byte{"atlas.wasm.lzma": p.Live.WASM, "wasm_exec.js": p.Live.Exec,
			"kernel.wasm": p.Live.Kernel} {
			all[path.Join(fetched.Live, name)] = data
		}
	}
	for name, data := range all {
		l.Sizes[name] = len(data)
		if len(data) <= smallFile || path.Base(name) == results.File {
			l.Small[name] = characters(data)
		} else {
			files[name] = data
		}
	}
	if p.Live != nil && o.Own == nil {
		if files[smallWorker], err = answerer(p.Live, smallest, l.Sizes); err != nil {
			return nil, nil, err
		}
	}
	files["files.json"], err = json.Marshal(l)
	return files, smallest, err
}

// answerer returns the script of the worker that answers with the small program from these models.
func answerer(p *live.Program, models []string, sizes map[string]int) ([]byte, error) {
	var ids []string
	l := list{Sizes: map[string]int{}, Small: map[string]string{}, Texts: map[string]string{}}
	for _, name := range models {
		id, _, _ := strings.Cut(path.Base(name), checkpoint.Extension)
		ids, l.Sizes[name] = append(ids, id), sizes[name]
	}
	l.Texts[messages.English.Tag()] = live.Texts(messages.English, ids)
	text, err := json.Marshal(l)
	script := fmt.Appendf(nil, "const FILES = %s;\n%s\n", text, p.Exec)
	for _, part := range [][]byte{live.Engine, []byte(live.LZMA), []byte(firstScript)} {
		script = append(script, bundle.Uncommented(part)...)
	}
	return script, err
}

// characters returns a character for each byte. Such text compresses better than base64.
func characters(data []byte) string {
	all := make([]rune, len(data))
	for i, b := range data {
		all[i] = rune(b)
	}
	return string(all)
}

// packed compresses a file with gzip at the highest level.
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

// hash returns a hash of the names and contents of files.
func hash(files map[string][]byte) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		part := sha256.Sum256(files[name])
		sum.Write([]byte(name + "\x00"))
		sum.Write(part[:])
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:9])
}

// assets returns the files that pages load, by their addresses.
func assets() map[string][]byte {
	files := map[string][]byte{}
	for _, name := range static.Loaded() {
		files[strings.TrimPrefix(static.URL(name), "/")] = static.Content(name)
	}
	return files
}
