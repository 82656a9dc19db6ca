package corpora

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"

	"attnatlas/engine/disk"
	"attnatlas/engine/gaps"
	"attnatlas/engine/messages"

	"golang.org/x/text/unicode/norm"
)

// Options holds the folder of the sources and what to leave out.
type Options struct {
	From    fs.FS
	Without []string   // lower-case words; lines that contain one are dropped
	Gaps    []gaps.Gap // sentences that models are tested on; lines that contain one are dropped
}

// Sets lists the names of the data sets.
var Sets = []string{
	"simple", "storybooks", "tatoeba", "captions", "everyday", "children", "fairytales", "questions", "chat", "stories",
	"chinese", "tatoeba-zh", "storybooks-zh", "chat-zh", "intents", "feelings", "negation",
}

// files maps file names, such as "train.txt", to the lines of each file.
type files map[string][]string

// Made is a data set and the number of lines that were dropped.
type Made struct {
	Files   map[string][]byte // by name, such as "train.txt"
	Dropped int               // lines that contained a sentence of Options.Gaps
}

// Make makes a data set. It reads the folder with the set's name if there is one, and the original
// source otherwise. The error is fs.ErrNotExist if neither exists.
func (o Options) Make(set string) (Made, error) {
	lines, err := o.prepared(set)
	if source, ok := map[string]func() (files, error){
		"stories": o.stories, "everyday": o.everyday, "chinese": o.chinese, "intents": o.intents, "feelings": o.feelings,
	}[set]; ok && errors.Is(err, fs.ErrNotExist) {
		lines, err = source()
	}
	if err != nil {
		return Made{}, err
	}
	return o.without(lines), nil
}

// without drops the lines that contain sentences on which models are tested.
func (o Options) without(all files) Made {
	made, filter := Made{Files: map[string][]byte{}}, gaps.NewFilter(o.Gaps)
	for name, lines := range all {
		kept := slices.DeleteFunc(lines, func(line string) bool {
			return filter.Holds(line[strings.LastIndexByte(line,
				'\t')+1:])
		})
		made.Dropped += len(lines) - len(kept)
		if len(kept) > 0 {
			made.Files[name] = []byte(strings.Join(kept, "\n") + "\n")
		}
	}
	return made
}

// prepared reads a set from the folder with its name, which holds the finished files.
func (o Options) prepared(set string) (files, error) {
	made := files{}
	for _, pattern := range []string{"*.txt", "*.tsv"} {
		names, err := fs.Glob(o.From, path.Join(set, pattern))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if made[path.Base(name)], err = o.lines(name); err != nil {
				return nil, err
			}
		}
	}
	delete(made, "SOURCES.tsv") // attributions
	if made["train.txt"] == nil && made["train.tsv"] == nil {
		return nil, &fs.PathError{Op: "open", Path: path.Join(set, "train.txt"), Err: fs.ErrNotExist}
	}
	return made, nil
}

// Split returns the part of the data set to which a line, or the name of a story, belongs. A hash
// decides: of 100 equal ranges of hashes, part are for validation, the same number for tests, and the
// rest for training.
func Split(text string, part int) string {
	sum := sha256.Sum256([]byte(text))
	switch h := int(binary.BigEndian.Uint32(sum[:4]) % 100); {
	case h < part:
		return "valid"
	case h < 2*part:
		return "test"
	}
	return "train"
}

// mostBytes is a size limit above the size of every source file.
const mostBytes = 1 << 30

// read reads a source file.
func (o Options) read(name string) ([]byte, error) {
	text, err := disk.ReadIn(o.From, name, mostBytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}

// lines reads the lines of all files that match the patterns.
func (o Options) lines(patterns ...string) ([]string, error) {
	var lines []string
	for _, pattern := range patterns {
		names, err := fs.Glob(o.From, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := o.read(name)
			if err != nil {
				return nil, err
			}
			for line := range strings.Lines(norm.NFC.String(string(text))) {
				lines = append(lines, strings.TrimSpace(line))
			}
		}
	}
	if lines == nil {
		return nil, &fs.PathError{Op: "open", Path: patterns[0], Err: fs.ErrNotExist}
	}
	return lines, nil
}

// everyday returns the sentences of 3 to 30 words.
func (o Options) everyday() (files, error) {
	lines, err := o.lines("common-voice/server/data/en/*.txt")
	for i, line := range lines {
		lines[i] = straight(line)
	}
	return o.sentences(lines, func(line string) bool {
		words := len(strings.Fields(line))
		return words >= 3 && words <= 30
	}), err
}

// chinese returns the sentences of 4 to 60 characters of which at least 60 % are Han characters.
func (o Options) chinese() (files, error) {
	lines, err := o.lines("common-voice/server/data/zh-CN/*.txt", "common-voice/server/data/zh-TW/*.txt")
	return o.sentences(lines, func(line string) bool {
		all, han := 0, 0
		for _, r := range line {
			all++
			if unicode.Is(unicode.Han, r) {
				han++
			}
		}
		return all >= 4 && all <= 60 && 10*han >= 6*all
	}), err
}

// sentences splits the lines that pass keep into the files of a data set.
func (o Options) sentences(lines []string, keep func(string) bool) files {
	made, seen := files{}, map[string]bool{}
	for _, line := range lines {
		if key := letters(line); keep(line) && o.decent(line) && !seen[key] {
			seen[key] = true
			name := Split(line, 2) + ".txt"
			made[name] = append(made[name], line)
		}
	}
	return shuffled(made)
}

var quotes = strings.NewReplacer("“", `"`, "”", `"`, "‘", "'", "’", "'", "\u00a0", " ", "\u200a", " ", "\u202f", " ")

// straight replaces curly quotation marks by straight ones, and all white space by single spaces.
func straight(line string) string { return strings.Join(strings.Fields(quotes.Replace(line)), " ") }

// letters returns the letters of a line in lower case, and its digits. Lines with equal letters
// count as duplicates.
func letters(line string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, line)
}

// decent reports whether a line contains none of the words of Options.Without.
func (o Options) decent(line string) bool {
	return !slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(line),
		func(r rune) bool { return !unicode.IsLetter(r) }), func(word string) bool {
		return slices.Contains(o.Without, word)
	})
}

// shuffled orders the lines of each file by a hash, so that neighbouring lines are unrelated.
func shuffled(made files) files {
	for _, lines := range made {
		slices.SortFunc(lines, func(a, b string) int {
			x, y := sha256.Sum256([]byte(seed+a)), sha256.Sum256([]byte(seed+b))
			return cmp.Or(slices.Compare(x[:], y[:]), strings.Compare(a, b))
		})
	}
	return made
}

const seed = "20260101"

// wrong is the error for a source file in an unexpected format.
func wrong(file string, cause string) error {
	return messages.Errorf("corpora.format", "file", file, "cause", oneColumn.Replace(cause))
}
