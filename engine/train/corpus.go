package train

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/engine/tokenizer"
)

// Corpus is a set of texts for all objectives, one split of it.
type Corpus struct {
	Vocab   *tokenizer.Vocabulary
	streams []stream   // running text, for masked words
	tasks   []labelled // for the classifiers, in the order of encoder.Classifiers
	Origins []string   // the data sets it was made from
	Batches int        // batches of a validation; 0: the usual number
	digest  hash.Hash  // of all files read
	pairs   func() *pairIndex
	// frequency is the share of each token in the mixture of masked words.
	frequency func() []float64
}

// stream is running text: ids without specials, and where sentences begin.
type stream struct {
	source
	ids    []int
	starts []int
	texts  []int // where texts begin; no sentence pair crosses a text's beginning
	index  *rowIndex
}

// labelled holds the texts of one classifier by length in tokens, so that batches need no padding.
type labelled struct {
	lengths []int         // ascending
	rows    map[int][]row // by length
	count   int
}

type row struct {
	ids   []int // with [CLS] and [SEP]
	class int
}

// source is one data set: a folder with train, valid and test files.
type source struct {
	name    string
	file    string  // name with "%s" for the split
	share   float64 // share of the rows of masked words, unless a phase sets another
	next    float64 // share of the rows of next words
	task    int     // index in encoder.Classifiers, or -1
	classes []string
	licence string
}

// sources are the data sets. The shares follow from the number of times that training reads each set: simple modern
// sentences are read often, books rarely.
var sources = []source{
	{name: "simple", file: "%s.txt", share: 0.39, next: 0.68, task: -1, licence: "CDLA-Sharing-1.0, Eldan and Li 2023"},
	{name: "storybooks", file: "%s.txt", share: 0.05, next: 0.09, task: -1,
		licence: "CC BY, African Storybook Project and Pratham Books"},
	{name: "tatoeba", file: "%s.txt", share: 0.27, next: 0.04, task: -1, licence: "CC BY 2.0 FR, Tatoeba"},
	{name: "captions", file: "%s.txt", share: 0.05, task: -1, licence: "CC BY 4.0, COCO Consortium"},
	{name: "everyday", file: "%s.txt", share: 0.08, next: 0.01, task: -1, licence: "CC0"},
	{name: "children", file: "%s.txt", share: 0.02, next: 0.10, task: -1, licence: "public domain, CC0"},
	{name: "fairytales", file: "%s.txt", share: 0.01, next: 0.05, task: -1, licence: "public domain"},
	{name: "questions", file: "%s.txt", share: 0.02, task: -1, licence: "MIT, Talmor et al. 2019"},
	{name: "chat", file: "%s.txt", share: 0.01, next: 0.01, task: -1,
		licence: "CDLA-Sharing-1.0, Gopalakrishnan et al. 2019"},
	{name: "stories", file: "%s.txt", share: 0.01, next: 0.02, task: -1, licence: "public domain, CC0"},
	{name: "chinese", file: "%s.txt", share: 0.025, task: -1, licence: "CC0"},
	{name: "tatoeba-zh", file: "%s.txt", share: 0.035, task: -1, licence: "CC BY 2.0 FR, Tatoeba"},
	{name: "storybooks-zh", file: "%s.txt", share: 0.005, task: -1, licence: "CC BY, African Storybook Project"},
	{name: "chat-zh", file: "%s.txt", share: 0.005, task: -1, licence: "Apache 2.0, Zhu et al. 2020"},
	{name: "intents", file: "%s.tsv", share: 0.01, task: 0, classes: encoder.Topics,
		licence: "CC BY 3.0, Larson et al. 2019"},
	{name: "feelings", file: "%s.tsv", share: 0.01, task: 1, classes: encoder.Sentiments,
		licence: "CC BY 4.0, Demszky et al. 2020"},
	{name: "negation", file: "%s.tsv", share: 0, task: 1, classes: encoder.Sentiments, licence: "written for the Atlas"},
}

// Split is a part of a corpus.
type Split string

const (
	Train Split = "train"
	Valid Split = "valid"
)

// LongestLabelled is the largest number of tokens, with [CLS] and [SEP], of the labelled texts of the bundled models.
const LongestLabelled = 64

// Load reads one split of the data sets below dir: folders with the names of corpora.Sets, each with train and valid
// files. Sets may be missing. A folder with none of them is read as running text: every twentieth line of its .txt
// files is for validation, and the rest for training. Labelled texts of more than length tokens are left out.
func Load(dir string, split Split, v *tokenizer.Vocabulary, length int) (*Corpus, error) {
	c := &Corpus{Vocab: v, tasks: make([]labelled, len(encoder.Classifiers())), digest: sha256.New()}
	for _, s := range sources {
		path := filepath.Join(dir, s.name, fmt.Sprintf(s.file, split))
		lines, err := c.read(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		if err := c.add(s, lines, length); err != nil {
			return nil, err
		}
		c.Origins = append(c.Origins, fmt.Sprintf("%s (%s)", s.name, s.licence))
	}
	if len(c.Origins) == 0 {
		if err := c.addOwn(dir, split, length); err != nil {
			return nil, err
		}
	}
	for i := range c.tasks {
		c.tasks[i].index()
	}
	c.frequency = sync.OnceValue(c.frequencies)
	c.pairs = sync.OnceValue(func() *pairIndex { return indexPairs(c.streams, v, length) })
	return c, c.check(dir)
}

// addOwn reads .txt files as running text.
func (c *Corpus) addOwn(dir string, split Split, length int) error {
	paths, err := texts(dir)
	if err != nil {
		return err
	}
	own := source{name: "own text", share: 1, next: 1, task: -1}
	var lines []string
	for _, path := range paths {
		more, err := c.read(path)
		if err != nil {
			return err
		}
		lines = append(lines, more...)
		c.Origins = append(c.Origins, filepath.Base(path))
	}
	var mine []string
	all := cut(lines)
	valid := min(19, len(all)-1) // with fewer lines, the last line, which is too short; check says how much is missing
	for i, line := range all {
		if len(all) == 1 || (i%20 == valid) == (split == Valid) {
			mine = append(mine, line)
		}
	}
	return c.add(own, mine, length)
}

// cut splits long lines, such as a book without line breaks. If there are few lines, it splits them further, so that
// some are left for validation.
func cut(lines []string) []string {
	total := 0
	for _, line := range lines {
		total += len(line)
	}
	most := max(80, min(1000, total/40))
	var all []string
	for _, line := range lines {
		for len(line) > most {
			at := strings.LastIndexFunc(line[:most], unicode.IsSpace)
			if at <= 0 {
				for at = most; !utf8.RuneStart(line[at]); {
					at--
				}
			}
			all, line = append(all, line[:at]), strings.TrimSpace(line[at:])
		}
		all = append(all, line)
	}
	return all
}

// check rejects a corpus from which no batch can be drawn.
func (c *Corpus) check(dir string) error {
	need := validLengths[len(validLengths)-1]
	for _, s := range c.streams {
		if len(s.ids) < need {
			return messages.Errorf("training.short", "folder", dir, "pieces", len(s.ids), "least", need)
		}
	}
	if len(c.streams) == 0 {
		return messages.Errorf("training.text", "folder", dir)
	}
	return nil
}

// longestRow is the length of the longest row that can be cut from every source.
func (c *Corpus) longestRow() int {
	most := math.MaxInt
	for _, s := range c.streams {
		most = min(most, len(s.ids)+2)
	}
	return most
}

// Digest identifies the texts, so that a training run does not continue with other ones.
func (c *Corpus) Digest() string { return hex.EncodeToString(c.digest.Sum(nil)[:16]) }

func (c *Corpus) add(s source, lines []string, length int) error {
	st := stream{source: s, index: &rowIndex{}}
	for n, line := range lines {
		columns := strings.Split(line, "\t")
		ids := c.Vocab.EncodeIDs(columns[len(columns)-1])
		if s.share > 0 {
			st.append(c.Vocab, ids)
		}
		if s.task < 0 {
			continue
		}
		if len(columns) < 2 {
			return messages.Errorf("training.columns", "source", s.name, "line", n+1)
		}
		class := slices.Index(s.classes, columns[0])
		if class < 0 || len(ids) == 0 || len(ids)+2 > length {
			continue // classes that are not used (mixed sentiments), or too long
		}
		c.tasks[s.task].add(row{c.wrap(ids), class})
	}
	if len(st.ids) > 0 {
		c.streams = append(c.streams, st)
	}
	return nil
}

func (c *Corpus) wrap(ids []int) []int {
	return append(append([]int{c.Vocab.CLS()}, ids...), c.Vocab.SEP())
}

// append adds a text and finds where its sentences begin: at the first token, and after each full stop, question or
// exclamation mark with the closing quotation mark.
func (s *stream) append(v *tokenizer.Vocabulary, ids []int) {
	begins, quoted := true, false
	s.texts = append(s.texts, len(s.ids))
	for i, id := range ids {
		piece := v.Piece(id)
		closing := piece == `"` && quoted && begins
		quoted = quoted != (piece == `"`)
		if begins && !closing {
			s.starts = append(s.starts, len(s.ids)+i)
		}
		begins = strings.ContainsAny(piece, ".!?。") && len(piece) <= 3 || closing
	}
	s.ids = append(s.ids, ids...)
}

func (l *labelled) add(r row) {
	if l.rows == nil {
		l.rows = map[int][]row{}
	}
	l.rows[len(r.ids)] = append(l.rows[len(r.ids)], r)
	l.count++
}

func (l *labelled) index() {
	l.lengths = l.lengths[:0]
	for n := range l.rows {
		l.lengths = append(l.lengths, n)
	}
	slices.Sort(l.lengths)
}

// Tokens returns the number of tokens of running text.
func (c *Corpus) Tokens() int {
	n := 0
	for _, s := range c.streams {
		n += len(s.ids)
	}
	return n
}
