package live

import (
	"crypto/sha256"
	_ "embed" // the page and its scripts
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
	"attnatlas/web/live/figures"
)

// Engine is the script that starts a program for browsers, here and in published folders.
//
//go:embed engine.js
var Engine []byte

//go:embed worker.js
var workerScript string

//go:embed live.js
var pageScript string

//go:embed page.css
var pageStyle string

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// Program is the engine compiled for browsers: the program, compressed with gzip; the script that comes with the compiler
// and starts it; and the kernel of products.
type Program struct{ WASM, Exec, Kernel []byte }

// Model is a mechanism's file of weights, and the name under which the program looks for it.
type Model struct {
	ID, Map string // Map is the map that is shown first; empty: the main one
	File    string
	Weights []byte
}

// Choice is something to choose.
type Choice struct {
	ID, Label string
	Chosen    bool
}

// Origin is a line of what is said of where a figure comes from.
type Origin struct{ Key, Value string }

// Page is a live figure. What it shows first has a map for each of its models.
type Page struct {
	*messages.Language
	Program
	Models         []Model
	First          []figures.Answer
	Title, Theme   string
	Text           string
	Layer, Head    int // as of figures.Request
	Causal         bool
	Norms, Colours []Choice
	Origin         []Origin
	Element        []byte // the script of <attention-map>
	Longest        int    // text
}

// content is what the page's template needs besides.
type content struct {
	*Page
	Policy                    string
	Style                     template.CSS
	Element, Script           template.JS
	Start, List               template.JS
	Blocks                    []template.HTML
	LayerOptions, HeadOptions []template.HTML
}

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	c := content{Page: p, Policy: p.Policy(), Style: template.CSS(pageStyle), Element: inline(string(p.Element)), Script: inline(pageScript)}
	var err error
	if c.Start, err = jsonOf(map[string]any{
		"first": p.First, "mask": p.Causal, "forbidden": codes(),
		"words": map[string]string{"failed": p.T("live.failed"), "sharpest": p.T("live.sharpest"), "mean": p.T("live.mean"), "head": p.T("live.head-number")},
	}); err != nil {
		return err
	}
	if c.List, err = p.list(); err != nil {
		return err
	}
	for _, s := range []struct{ id, text string }{{"wasm_exec.js", string(p.Exec)}, {"engine.js", string(Engine)}, {"worker.js", workerScript}} {
		c.Blocks = append(c.Blocks, template.HTML(`<script type="text/plain" id="`+s.id+`">`+string(inline(s.text))+`</script>`))
	}
	c.block("atlas.wasm.gz", p.WASM)
	c.block("kernel.wasm", p.Kernel)
	for _, m := range p.Models {
		c.block("weights/"+m.File, m.Weights)
	}
	c.LayerOptions = []template.HTML{option(max(p.Layer, 1))}
	c.HeadOptions = []template.HTML{option(p.Head)}
	return page.Execute(w, c)
}

// block adds a file.
func (c *content) block(name string, data []byte) {
	c.Blocks = append(c.Blocks, template.HTML(`<script type="text/plain" id="`+template.HTMLEscapeString(name)+`" data-size="`+strconv.Itoa(len(data))+`">`+encode(data)+`</script>`))
}

func option(n int) template.HTML {
	return template.HTML(fmt.Sprintf("<option value=\"%d\" selected>%[1]d</option>", n))
}

// list is what engine.js reads first: sizes of files, and the texts that may be said.
func (p *Page) list() (template.JS, error) {
	sizes, ids := map[string]int{}, []string{}
	for _, m := range p.Models {
		sizes["weights/"+m.File] = len(m.Weights)
		ids = append(ids, m.ID)
	}
	texts, err := json.Marshal(p.Templates(figures.Texts(ids)...))
	if err != nil {
		return "", err
	}
	return jsonOf(map[string]any{"sizes": sizes, "small": map[string]string{}, "texts": map[string]string{p.Tag(): string(texts)}})
}

// Policy is the Content-Security-Policy of the page: it asks nobody for anything, and runs its own scripts.
func (p *Page) Policy() string {
	return "default-src 'none'; base-uri 'none'; form-action 'none'; worker-src blob:; style-src " + digest(pageStyle) +
		"; script-src 'wasm-unsafe-eval' " + digest(string(inline(string(p.Element)))) + " " + digest(string(inline(pageScript)))
}

// digest names an inline text in a policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// inline is a script as it may stand in a page.
func inline(script string) template.JS {
	return template.JS(strings.ReplaceAll(script, "</script", `<\/script`))
}

// jsonOf is JSON in which nothing ends a script.
func jsonOf(v any) (template.JS, error) {
	data, err := json.Marshal(v)
	return template.JS(data), err
}

// codes are the forbidden characters as numbers.
func codes() []int {
	all := make([]int, len(forbidden))
	for i := range all {
		all[i] = int(forbidden[i])
	}
	return all
}
