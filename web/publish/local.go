package publish

import (
	_ "embed" // the scripts
	"encoding/json"
	"fmt"
	"hash/crc32"
	"path"
	"regexp"
	"strings"

	"attnatlas/static"
	"attnatlas/web/live"
)

//go:embed localpage.js
var localPage string

//go:embed localengine.js
var localEngine string

// localRoot is the folder, next to the program, of the files that pages without a host load. Such a page may load
// scripts, but may not read files or load modules. So every file exists there again, as a script.
const localRoot = "local/"

// scriptsAlone are the files of localRoot that folders for hosts have too: pages without a service worker get the
// other files from the host.
var scriptsAlone = []string{localRoot + "page.js", localRoot + "worker.js.js", localRoot + "modules.js.js"}

// relative matches the imports of our modules.
var relative = regexp.MustCompile(`(?m)^((?:import|export) .* from ')(\.\.?/[^']+)`)

// absolute returns a module that imports the others by their names below atlas/.
func absolute(name string) string {
	return relative.ReplaceAllStringFunc(string(static.Content(name)), func(line string) string {
		m := relative.FindStringSubmatch(line)
		return m[1] + path.Join("atlas", path.Dir(name), m[2])
	})
}

// local returns the files of localRoot for the files of a program.
func local(program map[string][]byte) (map[string][]byte, error) {
	modules := map[string]string{}
	for _, name := range static.Loaded() {
		if path.Ext(name) == ".js" && name != static.Element {
			modules["atlas/"+name] = absolute(name)
		}
	}
	worker := strings.Join([]string{string(program["wasm_exec.js"]), string(program["engine.js"]), live.Decode,
		localEngine}, "\n")
	files := map[string][]byte{localRoot + "page.js": []byte(localPage)}
	for name, value := range map[string]any{"worker.js": worker, "modules.js": modules} {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		files[localRoot+name+".js"] = fmt.Appendf(nil, "atlasFile(\"%s\", %s);\n", name, text)
	}
	for name, data := range program {
		if path.Ext(name) != ".js" {
			files[localRoot+name+".js"] = script(name, data)
		}
	}
	return files, nil
}

// quoted returns a text of live.Encode in quotation marks.
var quoted = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

// script returns the script that hands a file over.
func script(name string, data []byte) []byte {
	return fmt.Appendf(nil, "atlasFile(\"%s\", \"%s\", %d, %d);\n", quoted.Replace(name),
		quoted.Replace(live.Encode(data)), len(data), crc32.ChecksumIEEE(data))
}
