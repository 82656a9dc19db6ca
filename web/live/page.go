package live

import (
	"bufio"
	"context"
	"crypto/sha256"
	_ "embed" // scripts and style
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"html"
	"io"
	"path"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/fetched"
	"attnatlas/engine/messages"
	"attnatlas/web/live/figures"

	"github.com/a-h/templ"
)

// Engine is the script that starts a program for browsers, here and in published folders.
//
//go:embed engine.js
var Engine []byte

// LZMA is the script that decompresses a Program.
//
//go:embed lzma.js
var LZMA string

//go:embed worker.js
var workerScript string

// Decode is the script that decodes the text of Encode.
//
//go:embed decode.js
var Decode string

//go:embed live.js
var figureScript string

var pageScript = Decode + figureScript

//go:embed page.css
var pageStyle string

// Program is the engine compiled for browsers: the program, compressed by web/live/lzma, the compiler's script that
// starts it, and the kernel of products.
type Program struct{ WASM, Exec, Kernel []byte }

// WeightsFile is the file of a mechanism's weights, and the name by which the program finds it.
type WeightsFile struct {
	ID, Map string // Map is the map that is shown first; empty: the main map
	File    string
	Weights []byte
}

// MenuItem is an item to choose.
type MenuItem struct {
	ID, Label string
	Chosen    bool
}

// Origin is a line about the origin of a figure.
type Origin struct{ Key, Value string }

// FigurePage is a live figure. At first it shows a map of each of its models.
type FigurePage struct {
	*messages.Language
	Program
	Models       []WeightsFile
	First        []figures.Answer
	Title, Theme string
	Text         string
	Layer, Head  int // as in figures.Request
	Causal       bool
	engine.Arrangement
	Norms, Colours []MenuItem
	Origin         []Origin
	Element        []byte // the script of <attention-map>
	Longest        int    // text
}

// content holds the other data of the page's template.
type content struct {
	*FigurePage
	Policy string
	Blocks []templ.Component // elements of scripts and files
}

// Write writes the page.
func (p *FigurePage) Write(ctx context.Context, w io.Writer) error {
	c := &content{FigurePage: p, Policy: p.Policy()}
	files := []file{{"atlas.wasm.lzma", p.WASM}, {"kernel.wasm", p.Kernel}}
	for _, m := range p.Models {
		files = append(files, file{path.Join(fetched.Weights, m.File), m.Weights})
	}
	start, err := json.Marshal(map[string]any{
		"files": names(files), "first": p.First, "mask": p.Causal, "arrangement": p.Arrangement,
		"words": map[string]string{"failed": p.T("live.failed"), "changed": p.T("live.changed"),
			"distinctive": p.T("live.distinctive"), "mean": p.T("live.mean"), "head": p.T("live.head-number")},
	})
	if err != nil {
		return err
	}
	list, err := p.list()
	if err != nil {
		return err
	}
	c.script(`type="application/json" id="start"`, string(start)) // Go's JSON contains nothing that ends a script
	c.script(`type="application/json" id="files.json"`, string(list))
	for _, s := range []struct{ id, text string }{{"wasm_exec.js", string(p.Exec)}, {"engine.js", string(Engine)},
		{"lzma.js", LZMA}, {"worker.js", workerScript}} {
		c.script(`type="text/plain" id="`+s.id+`"`, inline(s.text))
	}
	c.script(`type="module"`, inline(string(p.Element)))
	c.script(`type="module"`, inline(pageScript)) // before the files: if the page is cut off, the script can report it
	for _, f := range files {
		c.file(f)
	}
	if _, err := io.WriteString(w, mark); err != nil {
		return err
	}
	return document(c).Render(ctx, w)
}

// block adds an element that is rendered when its turn comes, so that a page of large files is in memory only once.
func (c *content) block(attributes string, content func(*bufio.Writer)) {
	c.Blocks = append(c.Blocks, templ.ComponentFunc(func(_ context.Context, to io.Writer) error {
		w := bufio.NewWriter(to)
		_, _ = w.WriteString("<script " + attributes + ">")
		content(w)
		_, _ = w.WriteString("</script>\n")
		return w.Flush()
	}))
}

// script adds a script element whose text cannot end it.
func (c *content) script(attributes, text string) {
	c.block(attributes, func(w *bufio.Writer) { _, _ = w.WriteString(text) })
}

// mark is the byte order mark of UTF-8: browsers trust it more than a server's header.
const mark = "\ufeff"

// file is a file in the page, which its script reads.
type file struct {
	name string
	data []byte
}

func names(files []file) (all []string) {
	for _, f := range files {
		all = append(all, f.name)
	}
	return all
}

// file adds a file with its checksum, so that the script notices changed bytes.
func (c *content) file(f file) {
	attributes := fmt.Sprintf(`type="text/plain" id="%s" data-size="%d" data-sum="%d"`, html.EscapeString(f.name),
		len(f.data), crc32.ChecksumIEEE(f.data))
	c.block(attributes, func(w *bufio.Writer) { encode(w, f.data) })
}

// list returns the data that engine.js reads first: sizes of files, and texts.
func (p *FigurePage) list() ([]byte, error) {
	sizes, ids := map[string]int{}, []string{}
	for _, m := range p.Models {
		sizes[path.Join(fetched.Weights, m.File)] = len(m.Weights)
		ids = append(ids, m.ID)
	}
	return json.Marshal(map[string]any{"sizes": sizes, "small": map[string]string{},
		"texts": map[string]string{p.Tag(): Texts(p.Language, ids)}})
}

// Texts returns the messages that the program needs for these mechanisms.
func Texts(l *messages.Language, mechanisms []string) string {
	return l.Packed(figures.Texts(mechanisms)...)
}

// Policy is the Content-Security-Policy of the page: no network, and only its own scripts.
func (p *FigurePage) Policy() string {
	return "default-src 'none'; base-uri 'none'; form-action 'none'; worker-src blob:; style-src " + digest(pageStyle) +
		"; script-src 'wasm-unsafe-eval' " + digest(inline(string(p.Element))) + " " + digest(inline(pageScript))
}

// digest returns the hash of an inline text for a policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// inline returns a script in a form that may stand in a page.
func inline(script string) string { return strings.ReplaceAll(script, "</script", `<\/script`) }
