package unroll

import (
	"math"
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
	"attnatlas/engine/unroll"
	"attnatlas/web/address"

	"github.com/a-h/templ"
)

// hashingPage builds the view of the hashing page.
type hashingPage struct {
	hashed
	unroller
	round int // selected round, from 0
}

// hashingView returns the view of the hashing page.
func (s *pages) hashingView(l *messages.Language, x hashed) (pageView, error) {
	p := &hashingPage{hashed: x, unroller: newUnroller(l, x.state, x.found.Tokens), round: max(x.asked.Round, 1) - 1}
	name := l.Say(s.Find(x.asked.ID).Name)
	v := pageView{
		Page:    s.Head(l, "hashing", name+" · "+l.T("hashing.title"), l.T("hashing.summary"), x.state).With(files...),
		Kind:    "hashing",
		Heading: l.T("hashing.heading", "name", name), Lead: l.T("hashing.lead"),
		JSON: x.asked.url("/api/v1/hashing", x.state),
		Back: components.Link{Label: l.T("explain.back", "name", name), URL: address.Mechanism(x.state, x.asked.ID)},
		Form: p.form(), Words: p.words(p.urlOf), Choices: p.choices(),
	}
	if !x.found.Hashed {
		frames, err := p.frames(p.whole, p.recall)
		v.Frames = frames
		return v, err
	}
	frames, err := p.frames(p.directions, p.buckets, p.sorted, p.chunks, p.attend, p.unsorted, p.together, p.recall)
	v.Frames = frames
	return v, err
}

// urlOf returns the URL of the same page in another state.
func (p *hashingPage) urlOf(st address.State) string { return p.url(st, p.asked) }

func (p *hashingPage) url(st address.State, asked hashes) string {
	return asked.url(hashingPath, st)
}

// form returns the form with the text, the seed, the rounds and k.
func (p *hashingPage) form() SettingsForm {
	shown := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	f := SettingsForm{Action: hashingPath, Text: p.state.Text, Numbers: []components.Slider{
		{ID: "hash-rounds", Key: roundsKey, Label: p.Language.T("hashing.label.rounds"),
			Help: p.Language.T("hashing.help.rounds", "own", p.found.Own), Value: strconv.Itoa(p.found.Rounds), From: 1,
			To: unroll.MostRounds, Step: 1},
		{ID: "hash-seed", Key: seedKey, Label: p.Language.T("hashing.label.seed"), Help: p.Language.T("hashing.help.seed"),
			Value: shown(p.asked.Seed), Text: true},
		{ID: "hash-k", Key: topKey, Label: p.Language.T("hashing.label.k"), Help: p.Language.T("hashing.help.k"),
			Value: strconv.Itoa(p.found.Top), From: 1, To: unroll.MostTop, Step: 1},
	}}
	again, own := p.asked, p.asked
	again.Seed++
	own.Seed, own.Rounds, own.Round = 0, 0, 0
	f.Links = []components.Link{{Label: p.Language.T("hashing.again"), Hint: p.Language.T("hashing.again-help"),
		URL: p.url(p.state, again)}, {Label: p.Language.T("hashing.own"), Hint: p.Language.T("hashing.own-help"),
		URL: p.url(p.state, own)}}
	f.Hidden = hiddenOf(hashes{ID: p.asked.ID}.url("", p.state), address.Text)
	return f
}

// choices returns the links to layers, heads and rounds.
func (p *hashingPage) choices() []Choices {
	all := p.layersAndHeads(p.found.Layers, p.found.Heads, p.urlOf)
	var rounds []ChoiceLink
	for i := range p.found.List {
		asked := p.asked
		asked.Round = i + 1
		rounds = append(rounds, ChoiceLink{Link: components.Link{Label: strconv.Itoa(i + 1), URL: p.url(p.state, asked)},
			Chosen: i == p.round})
	}
	return append(all, Choices{Label: p.Language.T("hashing.round"), List: rounds})
}

func (p *hashingPage) one() unroll.HashRound { return p.found.List[p.round] }

// frame returns a frame with its title and text from the message catalogue.
func (p *hashingPage) frame(id string, body templ.Component, args ...any) Frame {
	return p.unroller.frame("hashing", id, body, append([]any{"round", p.round + 1, "rounds", len(p.found.List), "word",
		p.label(p.Word - 1)}, args...)...)
}

// chip returns a token with its bucket in the round.
func (p *hashingPage) chip(word int) Chip {
	bucket := p.one().Buckets[word]
	st := p.state
	st.Pin = address.Pin{Row: word + 1}
	return Chip{URL: p.urlOf(st), Label: p.label(word), Class: strconv.Itoa(bucket), Hue: bucket, Marked: word == p.Word-1,
		Title: p.Language.T("hashing.in-bucket", "word", p.label(word), "bucket", bucket)}
}

// directions shows the products of the tokens with the random directions.
func (p *hashingPage) directions() (Frame, error) {
	products := p.one().Products
	m, err := p.Drawn(p.ofWords(products, trace.Axis{Role: trace.Channel, Name: "direction"}))
	m.Caption = p.Language.T("hashing.frame.directions.caption")
	var told []string
	from, buckets := 0, 1
	for i, f := range p.found.Factors {
		best, value := 0, products[p.Word-1][from]
		for k, v := range products[p.Word-1][from : from+f/2] {
			if math.Abs(float64(v)) > math.Abs(float64(value)) {
				best, value = k, v
			}
		}
		side := best
		if value < 0 {
			side += f / 2
		}
		told = append(told, p.Language.T("hashing.told.direction", "word", p.label(p.Word-1), "direction", from+best+1,
			"value", messages.Number(float64(value)), "part", side, "of", f))
		if i == len(p.found.Factors)-1 {
			told = append(told, p.Language.T("hashing.told.bucket", "count", len(p.found.Factors), "bucket",
				p.one().Buckets[p.Word-1], "buckets", buckets*f))
		}
		from, buckets = from+f/2, buckets*f
	}
	return p.frame("directions", Captioned(told, Sketch(m)), "directions", len(products[0])), err
}

// buckets shows the tokens in the order of the text.
func (p *hashingPage) buckets() (Frame, error) {
	var chips []Chip
	for i := range p.found.Tokens {
		chips = append(chips, p.chip(i))
	}
	used := slices.Compact(slices.Sorted(slices.Values(p.one().Buckets)))
	return p.frame("buckets", Chips(chips), "used", len(used)), nil
}

// sorted shows the tokens bucket by bucket.
func (p *hashingPage) sorted() (Frame, error) {
	var groups []ChipGroup
	last := -1
	for _, word := range p.one().Order {
		if word < 0 {
			continue
		}
		if bucket := p.one().Buckets[word]; bucket != last || groups == nil {
			groups, last = append(groups, ChipGroup{Label: p.Language.T("hashing.bucket", "bucket", bucket)}), bucket
		}
		g := &groups[len(groups)-1]
		g.Chips = append(g.Chips, p.chip(word))
		g.Marked = g.Marked || word == p.Word-1
	}
	return p.frame("sorted", ChipGroups(groups)), nil
}

// places returns the tokens at places of the sorted list.
func (p *hashingPage) places(words []int) (chips []Chip) {
	for _, word := range words {
		if word < 0 {
			chips = append(chips, Chip{Label: "·", Hue: -1, Faint: true, Title: p.Language.T("hashing.filler")})
			continue
		}
		chips = append(chips, p.chip(word))
	}
	return chips
}

// chunks shows the sorted list, split into chunks.
func (p *hashingPage) chunks() (Frame, error) {
	var groups []ChipGroup
	for i, c := range p.one().Chunks {
		groups = append(groups, ChipGroup{Label: p.Language.T("hashing.chunk", "chunk", i+1), Chips: p.places(c.Words),
			Say: p.reads(i), Marked: slices.Contains(c.Words, p.Word-1)})
	}
	return p.frame("chunks", ChipGroups(groups), "size", p.found.Size), nil
}

// reads states which chunks a chunk of the round attends to.
func (p *hashingPage) reads(chunk int) string {
	each := len(p.one().Chunks)
	var list messages.List
	for slot := range p.found.Before + 1 + p.found.After {
		at := p.round*each + chunk + slot - p.found.Before
		at = (at + each*len(p.found.List)) % (each * len(p.found.List))
		if at/each == p.round {
			list = append(list, p.Language.T("hashing.chunk", "chunk", at%each+1))
		} else {
			list = append(list, p.Language.T("hashing.elsewhere", "chunk", at%each+1, "round", at/each+1))
		}
	}
	return p.Language.T("hashing.reads", "chunks", p.Language.T("list.all", "items", list))
}

// attend shows the windows of the chunks.
func (p *hashingPage) attend() (Frame, error) {
	var list []NamedMap
	for i, c := range p.one().Chunks {
		m, err := p.window(c)
		if err != nil {
			return Frame{}, err
		}
		name := p.Language.T("hashing.chunk", "chunk", i+1)
		m.Caption = name + ": " + p.reads(i)
		list = append(list, NamedMap{Name: name, Say: p.reads(i), Map: m, Marked: m.Marked > 0})
	}
	return p.frame("attend", Sketches(list)), nil
}

// window returns the map of a chunk: its tokens by those in its window.
func (p *hashingPage) window(c unroll.HashChunk) (components.Map, error) {
	label := func(word int) string {
		if word < 0 {
			return "·"
		}
		return p.label(word)
	}
	rows, cols := trace.Axis{Role: trace.Query, Text: true}, trace.Axis{Role: trace.Key, Text: true}
	for _, word := range c.Words {
		rows.Labels = append(rows.Labels, label(word))
	}
	for _, at := range c.Sees {
		cols.Labels = append(cols.Labels, label(at.Word))
	}
	sketch := p.Drawer
	sketch.Word = slices.Index(c.Words, p.Word-1) + 1
	return sketch.Drawn(trace.Map{
		Name: "window weights", Kind: trace.Probability, Axes: []trace.Axis{rows, cols},
		Value: tensor.From(slices.Concat(c.Weights...), len(c.Weights), len(c.Sees)),
		Reach: func(q, k int) bool { return c.May[q][k] },
	})
}

// permits returns which pairs of tokens can attend to each other in rounds of the head, in the
// order of the text.
func (p *hashingPage) permits(rounds []unroll.HashRound) func(q, k int) bool {
	n := len(p.found.Tokens)
	can := make([]bool, n*n)
	for _, one := range rounds {
		for _, c := range one.Chunks {
			for q, word := range c.Words {
				for k, at := range c.Sees {
					if c.May[q][k] {
						can[word*n+at.Word] = true
					}
				}
			}
		}
	}
	return func(q, k int) bool { return can[q*n+k] }
}

// pairs returns a map of token pairs.
func (p *hashingPage) pairs(id string, rows [][]tensor.Elem, may func(q, k int) bool, args ...any) (NamedMap, error) {
	m, err := p.Drawn(trace.Map{
		Name: "weights", Kind: trace.Probability, Value: tensor.From(slices.Concat(rows...), len(rows), len(rows)),
		Reach: may,
		Axes: []trace.Axis{{Role: trace.Query, Text: true, Labels: p.labels},
			{Role: trace.Key, Text: true, Labels: p.labels}},
	})
	named := NamedMap{Name: p.Language.T("hashing.map."+id, args...), Map: m}
	named.Map.Caption = named.Name
	return named, err
}

// unsorted shows the map of the round.
func (p *hashingPage) unsorted() (Frame, error) {
	m, err := p.pairs("round", p.one().Weights, p.permits(p.found.List[p.round:p.round+1]), "round", p.round+1)
	return p.frame("unsorted", Sketches([]NamedMap{m})), err
}

// together shows all rounds, and the weight of each round for the selected token.
func (p *hashingPage) together() (Frame, error) {
	m, err := p.pairs("all", p.found.Weights, p.permits(p.found.List))
	if err != nil {
		return Frame{}, err
	}
	var shares messages.List
	for i, one := range p.found.List {
		shares = append(shares, p.Language.T("hashing.told.share", "round", i+1, "share",
			messages.WholePercent(float64(one.Shares[p.Word-1]))))
	}
	told := p.Language.T("hashing.told.shares", "word", p.label(p.Word-1), "shares",
		p.Language.T("list.all", "items", shares))
	return p.frame("together", Captioned([]string{told}, Sketches([]NamedMap{m}))), nil
}

// whole shows the map of a text without hashing.
func (p *hashingPage) whole() (Frame, error) {
	m, err := p.pairs("full", p.found.Weights, nil)
	return p.frame("whole", Sketches([]NamedMap{m}), "size", p.found.Size), err
}
