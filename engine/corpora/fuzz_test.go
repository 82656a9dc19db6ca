package corpora

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// FuzzMake changes one file of the sources. Each set then consists of whole lines with the right
// number of columns, or gives an error of one line, in a bounded time.
func FuzzMake(f *testing.F) {
	names := slices.Sorted(maps.Keys(sources()))
	at := func(name string) uint8 { return uint8(slices.Index(names, name)) }
	for i := range names {
		f.Add(uint8(i), uint16(7*i), uint8(3*i), "\x00\xff\n\t")
	}
	queries, domains := at("oos-eval/data/data_full.json"), at("oos-eval/data/domains.json")
	f.Add(queries, uint16(0), uint8(255), `{"train": [["two\nlines", "transfer"], ["two\tcolumns", "transfer"]]}`)
	f.Add(queries, uint16(0), uint8(255), `{"train": [["a", "no\nintent"]]}`)
	f.Add(domains, uint16(0), uint8(255), `{"two\nlines": ["transfer", "book_flight"]}`)
	feelings := at("GoEmotions-pytorch/data/original/train.tsv")
	story := at("standardebooks/some-author_short-fiction/src/epub/text/a-story.xhtml")
	f.Add(feelings, uint16(0), uint8(0), strings.Repeat("\U0010ffff a", 2000)+"\t0\n")
	f.Add(story, uint16(0), uint8(0), strings.Repeat("<object><p>a ", 300))
	f.Fuzz(func(t *testing.T, which uint8, from uint16, without uint8, with string) {
		all, name := sources(), names[int(which)%len(names)]
		data := all[name].Data
		begin := int(from) % (len(data) + 1)
		end := min(len(data), begin+int(without))
		if without == 255 {
			end = len(data)
		}
		all[name] = &fstest.MapFile{Data: slices.Concat(data[:begin], []byte(with), data[end:])}
		began := time.Now()
		for _, set := range Sets {
			checkMade(t, all, set)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%v for %d bytes in %s", took, len(with), name)
		}
	})
}

// checkMade makes a set and checks it.
func checkMade(t *testing.T, from fstest.MapFS, set string) {
	made, err := Options{From: from}.Make(set)
	if err != nil && strings.ContainsAny(err.Error(), "\r\n") {
		t.Errorf("%s is refused in more than one line: %q", set, err)
	}
	tabs := map[string]int{"intents": 2, "feelings": 3}
	for name, text := range made.Files {
		for line := range strings.Lines(string(text)) {
			if want, ok := tabs[set]; ok && strings.Count(line, "\t") != want {
				t.Errorf("%s of %s has the line %q", name, set, line)
			}
		}
	}
}
