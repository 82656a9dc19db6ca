package tokenizer

import (
	"bufio"
	"fmt"
	"path/filepath"
	"strings"

	"attnatlas/engine/disk"
	"attnatlas/engine/messages"
)

// CorpusFile is a text file of a corpus with one text per line. In a file with tab-separated
// columns, the text is the last column.
type CorpusFile struct {
	Path   string
	Weight int // the file counts Weight times; 0 means once
}

// Recipe returns the sources and options of the bundled vocabulary: the training splits below dir.
// Weights are in tenths and match how often a round of training reads each file, so that books
// count less than once.
func Recipe(dir string) ([]CorpusFile, TrainOptions) {
	var sources []CorpusFile
	for _, s := range []struct {
		file   string
		tenths int
	}{
		{"simple/train.txt", 30}, {"storybooks/train.txt", 40}, {"tatoeba/train.txt", 30}, {"captions/train.txt", 20},
		{"everyday/train.txt", 20}, {"children/train.txt", 7}, {"fairytales/train.txt", 7}, {"questions/train.txt", 10},
		{"chat/train.txt", 5}, {"stories/train.txt", 3}, {"intents/train.tsv", 10}, {"feelings/train.tsv", 5},
		{"tatoeba-zh/train.txt", 30}, {"storybooks-zh/train.txt", 60}, {"chinese/train.txt", 10}, {"chat-zh/train.txt", 3},
	} {
		sources = append(sources, CorpusFile{Path: filepath.Join(dir, filepath.FromSlash(s.file)), Weight: s.tenths})
	}
	return sources, TrainOptions{Size: 5632, Han: 1000, MinCount: 200, Words: strings.Fields(wholeWords)}
}

// wholeWords are words of the first example texts. They stay in one piece, so that a map shows one
// row for one word. Rare words of the examples (recondite, 垫) are left out on purpose, to show word
// pieces and bytes.
const wholeWords = `
	afternoon bad beautiful best blanket boring bottle brilliant cabinet capital card cat chased cold corner credit
	declined dog ending excellent expected film flight flights floor gain girls good great happy hate hill horrible
	insurance interesting july keys kitchen knife lamp london love map mat mill movie music not old packed paris
	rain rice river rope rowed sad sat seven shoes small suitcase sunny table tea terrible tired tomorrow traveller
	trophy umbrella water weather wonderful wooden worst
	小 猫 狗 坐 累`

// TrainFiles learns a vocabulary from a list of files. Equal files and options give equal
// vocabularies, piece for piece.
func TrainFiles(sources []CorpusFile, opt TrainOptions) (*Vocabulary, error) {
	c := newCensus()
	for _, s := range sources {
		if err := c.addFile(s); err != nil {
			return nil, &messages.Error{Msg: messages.New("vocabulary.train"), Err: err}
		}
	}
	return c.train(opt)
}

// longestLine is the most bytes of a line. It limits the memory for a file without line ends.
const longestLine = 16 << 20

func (c *census) addFile(s CorpusFile) error {
	f, err := disk.Open(s.Path)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Path, err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		text := lines.Text()
		c.add(text[strings.LastIndexByte(text, '\t')+1:], max(s.Weight, 1))
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", s.Path, err)
	}
	return nil
}
