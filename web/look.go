package web

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/scene"
)

// look is the line above the maps: of a step of the walk, of an example, or of the text that is
// there. Whatever is wrong with it, the page stands.
func (p *page) look(ctx context.Context) components.Look {
	switch {
	case p.at != nil || p.sel == nil || p.layers == 0:
		return components.Look{}
	case p.state.Walk > 0:
		return p.walkLook(ctx)
	case p.state.Example != "":
		return p.exampleLook(ctx)
	}
	return p.firstLook(ctx)
}

// markTold marks the card of which the walk tells.
func (p *page) markTold(cards []components.Card) {
	if p.at != nil || p.state.Walk == 0 {
		return
	}
	of := scene.Walk[min(p.state.Walk, len(scene.Walk))-1].Claims[0].Mechanism
	for i := range cards {
		cards[i].Told = cards[i].ID == of
	}
}

// sceneState is the state of a scene, in the colours of the page.
func (p *page) sceneState(sc scene.Scene) address.State {
	st, err := sc.State(p.s.vocab)
	if err != nil {
		return p.state.Untold() // a test holds every scene against the codec
	}
	if len(st.Mechanisms) == 0 || sc.Value(address.Mechanisms) == "" {
		st.Mechanisms = p.s.firstWall()
	}
	st.Cmap, st.Theme, st.Present, st.Compact = p.state.Cmap, p.state.Theme, p.state.Present, p.state.Compact
	return st
}

// exampleState is the state of an example, and walkState that of a step of the walk.
func (p *page) exampleState(sc scene.Scene) address.State {
	st := p.sceneState(sc)
	st.Example = sc.ID
	return st
}

func (p *page) walkState(step int) address.State {
	st := p.sceneState(scene.Walk[step-1])
	st.Walk = step
	return st.WalkFrom(p.back())
}

// back is where the walk leads back to: the wall from which it began, with another text if the visitor has written one since. Before
// it begins, that is this page.
func (p *page) back() address.State {
	if p.state.Walk == 0 {
		st := p.state.Untold()
		if st.Layer == 1 && !p.generated() {
			st.Layer = 0 // it is the usual one
		}
		return st
	}
	back, named := p.state.Back(p.s.vocab)
	if !named {
		back.Mechanisms = p.s.firstWall()
	}
	if told := scene.Walk[min(p.state.Walk, len(scene.Walk))-1]; p.typed == told.Text || p.state.Unmasked(p.s.vocab) == told.Text {
		return back
	}
	back.Text, back.Was, back.Pin = p.typed, p.state.Was, address.Pin{}
	if p.state.From == "" {
		back.Mechanisms = p.state.Mechanisms
	}
	return back
}

// describe says what a scene claims, and whether the page still shows it.
func (p *page) describe(ctx context.Context, look *components.Look, sc scene.Scene, there address.State) {
	look.Again = components.Link{Label: p.t("look.again"), URL: address.Wall(there)}
	if p.typed != sc.Text {
		look.Note = p.t("look.other-text")
		return
	}
	said, err := p.s.tell(ctx, p.l, look.Kind, sc)
	if err != nil {
		look.Note = p.t("look.missing")
		return
	}
	look.Sentence = said.sentence
	switch {
	case !said.holds:
		look.Note, look.Again = p.t("look.not-here"), components.Link{}
	case seenAs(p.state) == seenAs(there):
		look.Again = components.Link{}
	}
}

// seenAs is the address of a state without what changes nothing about what is told: colours, and
// what is pinned.
func seenAs(st address.State) string {
	usual := address.Default()
	st.Cmap, st.Theme, st.Norm, st.Pin = usual.Cmap, usual.Theme, usual.Norm, address.Pin{}
	st.Layer, st.Race = max(st.Layer, 1), 0
	return address.Wall(st.Untold())
}

func (p *page) exampleLook(ctx context.Context) components.Look {
	at, all, ok := scene.Example(p.state.Example)
	if !ok {
		return p.firstLook(ctx)
	}
	look := components.Look{Kind: "example", Title: p.t("example." + all[at].ID + ".title"),
		Place: p.t("look.place", "number", at+1, "all", len(all)), Up: p.galleryLink(p.state)}
	p.describe(ctx, &look, all[at], p.exampleState(all[at]))
	if at > 0 {
		look.Previous = p.exampleLink(all[at-1], "look.previous")
	}
	if at+1 < len(all) {
		look.Next = p.exampleLink(all[at+1], "look.next")
	}
	return look
}

// exampleLink leads to a neighbouring example.
func (p *page) exampleLink(sc scene.Scene, label string) components.Link {
	return components.Link{Label: p.t(label), Hint: p.t("example." + sc.ID + ".title"), URL: address.Wall(p.exampleState(sc))}
}

func (p *page) galleryLink(st address.State) components.Link {
	return components.Link{Label: p.t("look.gallery"), Hint: p.t("look.gallery-hint"), URL: address.Page("/gallery", st)}
}

func (p *page) walkLook(ctx context.Context) components.Look {
	step := min(p.state.Walk, len(scene.Walk))
	sc := scene.Walk[step-1]
	look := components.Look{Kind: "walk", Title: p.t("walk." + sc.ID + ".title"), Place: p.t("look.place", "number", step, "all", len(scene.Walk))}
	p.describe(ctx, &look, sc, p.walkState(step))
	if step > 1 {
		look.Previous = components.Link{Label: p.t("look.back"), Hint: p.t("walk." + scene.Walk[step-2].ID + ".title"), URL: address.Wall(p.walkState(step - 1))}
	}
	look.Up = components.Link{Label: p.t("walk.end"), Hint: p.t("walk.end-hint"), URL: address.Wall(p.back())}
	look.Leave = look.Up.URL
	if step == len(scene.Walk) {
		look.Next, look.Up = look.Up, p.galleryLink(p.back())
	} else {
		look.Next = components.Link{Label: p.t("look.next"), Hint: p.t("walk." + scene.Walk[step].ID + ".title"), URL: address.Wall(p.walkState(step + 1))}
	}
	return look
}

// firstLook tells of a text that is no example's: of the first view what is known of it, of any
// other, and where the models are others of which that is not so, the strongest reading of two words that are no neighbours. Where something else is shown than
// what mechanisms compute, a line that says what it is stands there already.
func (p *page) firstLook(ctx context.Context) components.Look {
	if p.state.Show != exhibit.Maps {
		return components.Look{}
	}
	look := components.Look{Kind: "first", Try: p.tries()}
	usual := p.sceneState(scene.First)
	if p.typed == scene.First.Text && seenAs(p.state) == seenAs(usual) {
		p.describe(ctx, &look, scene.First, usual)
		look.Again = components.Link{}
	}
	if look.Sentence == "" || look.Note != "" {
		look.Sentence, look.Note = p.strongest(), ""
	}
	look.Next = components.Link{Label: p.t("walk.start"), Hint: p.t("walk.start-hint"), URL: address.Wall(p.walkState(1))}
	return look
}

// strongest says which word reads which most, of words that are no neighbours, in the maps
// that are shown.
func (p *page) strongest() string {
	var best *exhibit.Pair
	var name messages.Message
	words := p.s.vocab.Words(p.state.Text, p.sel.Report.Tokens)
	for i := range p.sel.Report.Mechanisms {
		m := &p.sel.Report.Mechanisms[i]
		card, err := p.sel.Card(m)
		if err != nil {
			continue
		}
		if pair, ok := card.Main.StrongestPair(words); ok && (best == nil || pair.Value > best.Value) {
			best, name = &pair, m.Entry.Name
		}
	}
	if best == nil {
		return p.t("look.any")
	}
	return p.t("look.strongest", "name", name, "row", best.Row, "column", best.Col, "value", messages.Number(best.Value))
}

// tries are the next things to try, each a link to a state.
func (p *page) tries() []components.Try {
	var all []components.Try
	add := func(id string, st address.State, args ...any) {
		st.Pin, st.Step = address.Pin{}, 0
		all = append(all, components.Try{ID: id, Link: components.Link{Label: p.t("try."+id+".label", args...), Hint: p.t("try." + id + ".hint"), URL: address.Wall(st)}})
	}
	here := p.state.Untold()
	if word, st, ok := p.hideOne(here); ok {
		add("hide", st, "word", word)
	}
	if racing, ok := p.raceOne(here); ok {
		add("race", racing)
	}
	swapped := here
	if swapped.Other = p.swap(here); swapped.Other != "" {
		add("swap", swapped)
	}
	shown := here
	shown.Show = exhibit.Influence
	add("influence", shown)
	if longer := here; !strings.HasSuffix(here.Text, scene.Longer) {
		longer.Text, longer.Was = strings.TrimSpace(here.Text)+" "+scene.Longer, nil
		add("longer", longer)
	}
	return all
}

// swap is a second text of as many words: the first view's has one word changed, of any other
// the words stand in another order. Where there is a second text already, there is nothing to swap.
func (p *page) swap(st address.State) string {
	switch {
	case st.Other != "":
		return ""
	case st.Text == scene.First.Text:
		return scene.OneWordChanged
	}
	return shuffled(p.s.vocab, st.Text, "")
}

// hideOne hides a word of a text of which none is hidden: of those that have one piece and stand
// there once, the most frequent one in the texts of the training, whose pieces the vocabulary has
// by how often they were joined, and single letters in another order. Long and rare words no model guesses.
func (p *page) hideOne(st address.State) (word string, next address.State, ok bool) {
	tokens := p.sel.Report.Tokens
	times := map[int]int{}
	for _, t := range tokens {
		if t.IsMask() {
			return "", st, false
		}
		times[t.ID]++
	}
	key, best := "", []int(nil)
	for _, cell := range p.s.vocab.Words(st.Text, tokens) {
		t := tokens[cell.First]
		letters := strings.IndexFunc(t.Label(), func(r rune) bool { return !unicode.IsLetter(r) }) < 0
		rank := []int{times[t.ID], 1 / len(t.Label()), t.ID}
		if cell.Last == cell.First+1 && letters && (key == "" || slices.Compare(rank, best) < 0) {
			word, key, best = t.Label(), address.WordKey(cell), rank
		}
	}
	if key == "" {
		return "", st, false
	}
	next, asked, err := address.Toggle(url.Values{address.Hide: {key}}, st, p.s.vocab)
	return word, next, asked && err == nil
}
