// Command bom lists the components of a program: the licences of all linked modules, as text, and a bill of materials
// in CycloneDX. It asks the go command and reads the module cache. It fails at an unknown licence, so that somebody
// examines it.
//
//	go run -C tools ./bom -dir .. -package ./cmd/viz -out ../dist
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

func main() {
	dir := flag.String("dir", ".", "folder of the module")
	pkg := flag.String("package", "./cmd/viz", "package of the program")
	out := flag.String("out", "dist", "folder to write LICENSES.txt and sbom.cdx.json to")
	flag.Parse()
	if err := run(*dir, *pkg, *out); err != nil {
		fmt.Fprintln(os.Stderr, "bom:", err)
		os.Exit(1)
	}
}

// module is a module as the go command describes it, with the licence from its folder.
type module struct {
	Path, Version, Dir string
	Main               bool
	Replace            *module // with a version, or a folder of this repository
	licence            string  // SPDX id
	text               []byte
}

func run(dir, pkg, out string) error {
	list, err := linked(dir, pkg)
	if err != nil {
		return err
	}
	for i := range list {
		if err := list[i].read(); err != nil {
			return err
		}
	}
	sbom, err := json.MarshalIndent(bill(list), "", "  ")
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(out, 0o755),
		os.WriteFile(filepath.Join(out, "LICENSES.txt"), licences(list), 0o644),
		os.WriteFile(filepath.Join(out, "sbom.cdx.json"), append(sbom, '\n'), 0o644))
}

// linked lists the modules whose packages the program imports, the main one and the standard library first.
func linked(dir, pkg string) ([]module, error) {
	cmd := exec.Command("go", "list", "-deps", "-json=Module", pkg)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	list := []module{{Path: "std", Version: runtime.Version(), Dir: runtime.GOROOT()}}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p struct{ Module *module }
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		m := p.Module
		if m == nil || m.Replace != nil && m.Replace.Version == "" { // a stub of this repository: see tools/stubs
			continue
		}
		if !slices.ContainsFunc(list, func(o module) bool { return o.Path == m.Path }) {
			list = append(list, *m)
		}
	}
	slices.SortFunc(list, func(a, b module) int { return strings.Compare(a.key(), b.key()) })
	return list, nil
}

func (m module) key() string {
	switch {
	case m.Main:
		return "0"
	case m.Path == "std":
		return "1"
	}
	return "2" + m.Path
}

// read reads a module's licence and notices.
func (m *module) read() error {
	for _, pattern := range []string{"LICEN[SC]E*", "COPYING*", "UNLICENSE*", "NOTICE*", "licenses/ftl.txt"} {
		files, err := filepath.Glob(filepath.Join(m.Dir, pattern))
		if err != nil {
			return err
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				return err
			}
			m.text = append(append(m.text, text...), '\n')
		}
	}
	if m.licence = identify(string(m.text)); m.licence == "" {
		return fmt.Errorf("%s: no licence that is known in %s", m.Path, m.Dir)
	}
	return nil
}

// identify returns the SPDX id of a licence by a phrase that no other licence has.
func identify(text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	for _, known := range []struct{ id, has string }{
		{"Apache-2.0", "apache license version 2.0"},
		{"MPL-2.0", "mozilla public license version 2.0"},
		{"BSD-3-Clause", "neither the name of"},
		{"BSD-3-Clause", "the names of its contributors may not be used"},
		{"BSD-2-Clause", "redistributions in binary form must reproduce"},
		{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose"},
		{"Unlicense", "this is free and unencumbered software"},
		{"FTL", "freetype license"},
		{"MIT", "permission is hereby granted, free of charge"},
		{"OFL-1.1", "sil open font license"},
		{"CC-BY-4.0", "creative commons attribution 4.0"},
	} {
		if strings.Contains(text, known.has) {
			return known.id
		}
	}
	return ""
}

func licences(list []module) []byte {
	var b bytes.Buffer
	for _, m := range list {
		fmt.Fprintf(&b, "%s\n%s %s (%s)\n\n%s\n", strings.Repeat("=", 80), m.Path, m.Version, m.licence, m.text)
	}
	return b.Bytes()
}

// These types hold the parts of CycloneDX 1.6 that are filled in.
type (
	document struct {
		Format     string      `json:"bomFormat"`
		Spec       string      `json:"specVersion"`
		Version    int         `json:"version"`
		Metadata   metadata    `json:"metadata"`
		Components []component `json:"components"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type     string    `json:"type"`
		Ref      string    `json:"bom-ref"`
		Name     string    `json:"name"`
		Version  string    `json:"version,omitempty"`
		PURL     string    `json:"purl,omitempty"`
		Licences []licence `json:"licenses"`
	}
	licence struct {
		Licence struct {
			ID string `json:"id"`
		} `json:"license"`
	}
)

func bill(list []module) document {
	d := document{Format: "CycloneDX", Spec: "1.6", Version: 1, Components: []component{}}
	for _, m := range list {
		purl := "pkg:golang/" + m.Path
		if m.Version != "" {
			purl += "@" + m.Version
		}
		c := component{Type: "library", Ref: purl, Name: m.Path, Version: m.Version, PURL: purl, Licences: make([]licence, 1)}
		c.Licences[0].Licence.ID = m.licence
		if m.Main {
			c.Type = "application"
			d.Metadata.Component = c
			continue
		}
		d.Components = append(d.Components, c)
	}
	return d
}
