//go:build !js

package static

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"attnatlas/static/bundle"
)

// entry is the module that pages run.
const entry = "js/main.js"

// bundled returns a joined file by its name. The first call joins all, after packages have added their files.
func bundled(name string) ([]byte, bool) {
	data, ok := allBundled()[name]
	return data, ok
}

var allBundled = sync.OnceValue(func() map[string][]byte {
	all := map[string][]byte{}
	for name, of := range sheets {
		all[name] = joined(of)
	}
	var err error
	if all[Main], err = bundle.Modules(files, entry); err != nil {
		panic(err)
	}
	for folder, own := range folders {
		for _, name := range namesIn(own, folder) {
			if path.Ext(name) != ".js" {
				continue
			}
			if all[joinedFolder+name], err = bundle.PageModule(name, source(name), path.Dir(entry), Main); err != nil {
				panic(err)
			}
		}
	}
	return all
})

// Loaded lists the files that pages load: Names without the sources of joined files.
func Loaded() []string {
	var parts []string
	for _, of := range sheets {
		parts = append(parts, of...)
	}
	return slices.DeleteFunc(Names(), func(name string) bool {
		module := path.Ext(name) == ".js" && name != Element && !strings.HasPrefix(name, joinedFolder)
		return module || slices.Contains(parts, name)
	})
}

// bundleNames returns the names of the joined files.
func bundleNames() []string { return slices.Sorted(maps.Keys(allBundled())) }

// joined returns style sheets one after the other.
func joined(names []string) []byte {
	var b bytes.Buffer
	for _, name := range names {
		fmt.Fprintf(&b, "/* %s, without comments */\n%s\n", name, bundle.Uncommented(source(name)))
	}
	return b.Bytes()
}
