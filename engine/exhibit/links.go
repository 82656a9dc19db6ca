package exhibit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"attnatlas/engine"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
)

// Link is the attention of one word of a text to another in one head.
type Link struct {
	Result *engine.Result
	Layer  engine.Layer
	Head   int // from 1; Mean if heads have no maps of their own
	// Reader attends to Read. Row and Col, from 0, are the strongest pair of tokens of the two words.
	Reader, Read tokenizer.Cell
	Row, Col     int
	Value        float64 // the attention weight of that pair
	Column       float64 // the mean weight that the text's other tokens give to Col
	Distance     float64 // the mean weight of the text's other pairs at the same distance
	excess       float64 // how far Value stands out, with a bonus for pronouns
}

// A link stands out if its weight is at least leastLink and at least standsOut times what the column or the distance
// alone explains.
const (
	leastLink = 0.2
	standsOut = 2
	// pronounBonus puts a pronoun that attends to a content word before a link that stands out a little more.
	pronounBonus = 1.5
)

// grouping groups the tokens of a text into words, as tokenizer.Vocabulary.Words does.
type grouping func(tokens []tokenizer.Token) []tokenizer.Cell

// StrongestLink finds the pair of content words whose weight stands out most over all mechanisms, layers and heads
// of the report. It prefers layers that all mechanisms have. A pronoun counts as a word that attends. The weight
// is compared with the mean of its column, which shows what the word gets from any other. It is also compared with
// the mean of its diagonal, which shows what a distance gets for any words. Neighbours and equal words are left
// out. ok is false if no link stands out.
func (s *Selection) StrongestLink(words grouping) (best Link, ok bool) {
	common := s.commonLayers()
	for i := range s.Report.Mechanisms {
		res := &s.Report.Mechanisms[i]
		if !measurable(res) || res.Entry.Blind {
			continue
		}
		list := s.pairsOf(words(s.Report.TokensOf(res)))
		for _, layer := range res.Layers {
			if ok && best.Layer.Number <= common && layer.Number > common {
				break
			}
			for head, m := range headMaps(res, layer) {
				link, found := list.strongest(m)
				shallower := ok && best.Layer.Number > common && layer.Number <= common
				if found && (!ok || shallower || link.excess > best.excess) {
					link.Result, link.Layer, link.Head = res, layer, head
					best, ok = link, true
				}
			}
		}
	}
	return best, ok
}

// commonLayers returns the number of layers that all mechanisms with a result have.
func (s *Selection) commonLayers() int {
	least := 0
	for _, res := range s.Report.Mechanisms {
		if n := len(res.Layers); n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}

// measurable reports whether a mechanism has a result with a main map.
func measurable(res *engine.Result) bool {
	return res.Err == nil && res.Entry != nil && len(res.Entry.Views) > 0
}

// MostAttended returns the content word to which the tokens of other words attend most, on average over all heads
// of mechanisms that look at the words. ok is false if there is none.
func (s *Selection) MostAttended(words grouping) (word tokenizer.Cell, ok bool) {
	cells := words(s.Report.Tokens)
	got := make([]float64, len(s.Report.Tokens))
	for i := range s.Report.Mechanisms {
		res := &s.Report.Mechanisms[i]
		if !measurable(res) || res.Entry.Blind || s.Report.Aligned(res) != nil {
			continue
		}
		for _, layer := range res.Layers {
			for _, m := range headMaps(res, layer) {
				addColumns(got, m)
			}
		}
	}
	most := 0.0
	for _, cell := range cells {
		total := 0.0
		for i := cell.First; i < cell.Last; i++ {
			total += got[i]
		}
		if IsContent(s.Report.Text, cell) && total > most {
			word, most, ok = cell, total, true
		}
	}
	return word, ok
}

// addColumns adds to each column the weights that other rows give to it.
func addColumns(to []float64, m trace.Map) {
	n := len(to)
	for at, v := range m.Value.Data {
		if i, j := at/n, at%n; i != j {
			to[j] += float64(v)
		}
	}
}

// WeightOf returns the largest weight that a mechanism gives to a link of words in any layer and head. ok is false
// if there is none.
func (s *Selection) WeightOf(res *engine.Result, reader, read tokenizer.Cell) (most float64, ok bool) {
	if !measurable(res) {
		return 0, false
	}
	rows, cols := within(s.Report.TokensOf(res), reader), within(s.Report.TokensOf(res), read)
	for _, layer := range res.Layers {
		for _, m := range headMaps(res, layer) {
			for _, i := range rows {
				for _, j := range cols {
					if v := float64(m.Value.At(i, j)); m.Reaches(i, j) {
						most, ok = max(most, v), true
					}
				}
			}
		}
	}
	return most, ok
}

// within returns the tokens of a list that share characters with a word.
func within(tokens []tokenizer.Token, word tokenizer.Cell) (all []int) {
	for i, t := range tokens {
		if t.Start < word.End && word.Start < t.End {
			all = append(all, i)
		}
	}
	return all
}

// headMaps yields the main map of a layer for each head, from 1, or a single one for Mean. It yields nothing if
// the map does not have attention weights from words to words.
func headMaps(res *engine.Result, layer engine.Layer) func(yield func(int, trace.Map) bool) {
	return func(yield func(int, trace.Map) bool) {
		m, found := layer.Find(MainMap(res.Entry))
		if !found || m.Kind != trace.Probability {
			return
		}
		if _, apart := m.Has(trace.Head); !apart {
			if ofWords(m) {
				yield(Mean, m)
			}
			return
		}
		for h := range m.Value.Dim(0) {
			if one, err := m.Head(h); err != nil || !ofWords(one) || !yield(h+1, one) {
				return
			}
		}
	}
}

// wordPairs are the words of a text whose links are compared.
type wordPairs struct {
	readers []taggedWord
	reads   []taggedWord
	tokens  []int // those that belong to words
}

type taggedWord struct {
	tokenizer.Cell
	at      int // its index among the words of the text
	text    string
	pronoun bool
}

func (s *Selection) pairsOf(words []tokenizer.Cell) (list wordPairs) {
	for at, cell := range words {
		for i := cell.First; i < cell.Last; i++ {
			list.tokens = append(list.tokens, i)
		}
		word := taggedWord{Cell: cell, at: at, text: s.Report.Text[cell.Start:cell.End]}
		switch classOf(word.text) {
		case pronoun:
			word.pronoun = true
			list.readers = append(list.readers, word)
		case contentWord:
			list.readers, list.reads = append(list.readers, word), append(list.reads, word)
		}
	}
	return list
}

// apart reports whether two words differ and are not neighbours. Two Chinese characters are often one word.
func (w taggedWord) apart(other taggedWord) bool {
	least := 2
	if first, _ := utf8.DecodeRuneInString(w.text); unicode.Is(unicode.Han, first) {
		least = 3
	}
	return max(w.at-other.at, other.at-w.at) >= least && !strings.EqualFold(w.text, other.text)
}

// strongest finds the pair that stands out most in the map of one head.
func (list wordPairs) strongest(m trace.Map) (best Link, ok bool) {
	if len(list.reads) == 0 {
		return best, false
	}
	columns, diagonals := list.means(m)
	for _, reader := range list.readers {
		for _, read := range list.reads {
			if !reader.apart(read) {
				continue
			}
			for i := reader.First; i < reader.Last; i++ {
				for j := read.First; j < read.Last; j++ {
					link := Link{Reader: reader.Cell, Read: read.Cell, Row: i, Col: j, Value: float64(m.Value.At(i, j))}
					if link.Value < leastLink || !m.Reaches(i, j) {
						continue
					}
					link.Column, link.Distance = columns[j].without(link.Value), diagonals[i-j+m.Value.Dim(1)].without(link.Value)
					usual := max(link.Column, link.Distance)
					if link.excess = link.Value - usual; reader.pronoun {
						link.excess *= pronounBonus
					}
					if link.Value >= standsOut*usual && link.excess > best.excess {
						best, ok = link, true
					}
				}
			}
		}
	}
	return best, ok
}

// sum is a sum of n weights.
type sum struct {
	total float64
	count int
}

// without returns the mean of the other weights, or 0 if there are none.
func (s sum) without(v float64) float64 {
	return (s.total - v) / float64(max(s.count-1, 1))
}

// means adds up, over the tokens of words, the weights that each column gets from other tokens. It does the same
// for each diagonal, whose index is row less column plus the number of columns.
func (list wordPairs) means(m trace.Map) (columns, diagonals []sum) {
	n := m.Value.Dim(1)
	columns, diagonals = make([]sum, n), make([]sum, 2*n+1)
	for _, i := range list.tokens {
		row := m.Value.Data[i*n:][:n]
		for _, j := range list.tokens {
			if i == j || m.Reach != nil && !m.Reach(i, j) {
				continue
			}
			v := float64(row[j])
			for _, s := range []*sum{&columns[j], &diagonals[i-j+n]} {
				s.total += v
				s.count++
			}
		}
	}
	return columns, diagonals
}
