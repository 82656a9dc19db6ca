package wall

import (
	"context"
	"net/url"
	"slices"

	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/web/address"
	"attnatlas/web/scene"
)

// look returns the line above the maps: about a step of the tour, an example, or the text of the page. An error in it
// does not stop the page.
func (p *View) look(ctx context.Context) components.Introduction {
	switch {
	case p.At != nil || p.Sel == nil || p.Layers == 0:
		return components.Introduction{}
	case p.State.Walk > 0:
		return p.walkLook(ctx)
	case p.State.Example != "":
		return p.exampleLook(ctx)
	}
	return p.firstLook(ctx)
}

// markTold marks the card that the step of the tour is about.
func (p *View) markTold(cards []components.Card) {
	if p.At != nil || p.State.Walk == 0 {
		return
	}
	of := scene.Walk[min(p.State.Walk, len(scene.Walk))-1].Claims[0].Mechanism
	for i := range cards {
		cards[i].Told = cards[i].ID == of
	}
}

// sceneState returns the state of a scene, in the colours of the page.
func (p *View) sceneState(sc scene.Scene) address.State {
	st, err := sc.State(p.Site.Vocab)
	if err != nil {
		return p.State.Untold() // a test reads every scene with the codec
	}
	if len(st.Mechanisms) == 0 || sc.Value(address.Mechanisms) == "" {
		st.Mechanisms = p.Site.FirstWall()
	}
	st.Cmap, st.Theme, st.Present, st.Compact = p.State.Cmap, p.State.Theme, p.State.Present, p.State.Compact
	return st
}

// ExampleState returns the state of an example, and walkState that of a step of the tour.
func (p *View) ExampleState(sc scene.Scene) address.State {
	st := p.sceneState(sc)
	st.Example = sc.ID
	return st
}

func (p *View) walkState(step int) address.State {
	st := p.sceneState(scene.Walk[step-1])
	st.Walk = step
	return st.WalkFrom(p.back())
}

// back returns the link out of the tour: to the wall from which it began, with another text if the visitor has typed
// one since. Before the tour begins, that is this page.
func (p *View) back() address.State {
	if p.State.Walk == 0 {
		st := p.named().Untold()
		if st.Layer == 1 && !p.Generated() {
			st.Layer = 0 // the default layer
		}
		return st
	}
	back, named := p.State.Back(p.Site.Vocab)
	if !named {
		back.Mechanisms = p.Site.FirstWall()
	}
	if told := scene.Walk[min(p.State.Walk, len(scene.Walk))-1]; p.Typed == told.Text ||
		p.State.Unmasked(p.Site.Vocab) == told.Text {
		return back
	}
	back.Text, back.Was, back.Pin = p.Typed, p.State.Was, address.Pin{}
	if p.State.From == "" {
		back.Mechanisms = p.State.Mechanisms
	}
	return back
}

// describe returns the claim of a scene, and whether the page still shows it.
func (p *View) describe(ctx context.Context, look *components.Introduction, sc scene.Scene, there address.State) {
	look.Again = components.Link{Label: p.T("look.again"), URL: address.Wall(there)}
	if p.Typed != sc.Text {
		look.Note = p.T("look.other-text")
		return
	}
	said, err := p.Site.Tell(ctx, p.Language, look.Kind, sc)
	if err != nil {
		look.Note = p.T("look.missing")
		return
	}
	look.Sentence = said.Sentence
	switch {
	case !said.Holds:
		look.Note, look.Again = p.T("look.not-here"), components.Link{}
	case seenAs(p.State) == seenAs(there):
		look.Again = components.Link{}
	}
}

// seenAs returns the address of a state without the parts that do not matter for the claim: colours, and what is
// pinned.
func seenAs(st address.State) string {
	usual := address.Default()
	st.Cmap, st.Theme, st.Norm, st.Pin = usual.Cmap, usual.Theme, usual.Norm, address.Pin{}
	st.Layer, st.Race = max(st.Layer, 1), 0
	return address.Wall(st.Untold())
}

func (p *View) exampleLook(ctx context.Context) components.Introduction {
	at, all, ok := scene.Example(p.State.Example)
	if !ok {
		return p.firstLook(ctx)
	}
	look := components.Introduction{Kind: "example", Title: p.T("example." + all[at].ID + ".title"),
		Place: p.T("look.place", "number", at+1, "all", len(all)), Up: p.galleryLink(p.State)}
	p.describe(ctx, &look, all[at], p.ExampleState(all[at]))
	if at > 0 {
		look.Previous = p.exampleLink(all[at-1], "look.previous")
	}
	if at+1 < len(all) {
		look.Next = p.exampleLink(all[at+1], "look.next")
	}
	return look
}

// exampleLink returns the link to the previous or next example.
func (p *View) exampleLink(sc scene.Scene, label string) components.Link {
	return components.Link{Label: p.T(label), Hint: p.T("example." + sc.ID + ".title"),
		URL: address.Wall(p.ExampleState(sc))}
}

func (p *View) galleryLink(st address.State) components.Link {
	return components.Link{Label: p.T("look.gallery"), Hint: p.T("look.gallery-hint"), URL: address.Page("/gallery", st)}
}

func (p *View) walkLook(ctx context.Context) components.Introduction {
	step := min(p.State.Walk, len(scene.Walk))
	sc := scene.Walk[step-1]
	look := components.Introduction{Kind: "walk", Title: p.T("walk." + sc.ID + ".title"),
		Place: p.T("look.place", "number", step, "all", len(scene.Walk))}
	p.describe(ctx, &look, sc, p.walkState(step))
	if step > 1 {
		look.Previous = components.Link{Label: p.T("look.back"), Hint: p.T("walk." + scene.Walk[step-2].ID + ".title"),
			URL: address.Wall(p.walkState(step - 1))}
	}
	look.Up = components.Link{Label: p.T("walk.end"), Hint: p.T("walk.end-hint"), URL: address.Wall(p.back())}
	look.Leave = look.Up.URL
	if step == len(scene.Walk) {
		look.Next, look.Up = look.Up, p.galleryLink(p.back())
	} else {
		look.Next = components.Link{Label: p.T("look.next"), Hint: p.T("walk." + scene.Walk[step].ID + ".title"),
			URL: address.Wall(p.walkState(step + 1))}
	}
	return look
}

// firstLook describes a text that is not an example. It has prepared sentences for the first view. For other texts,
// and where other models make these sentences false, it describes the strongest link between two content words. It is
// empty if the page shows a method instead of maps, because another line explains the method.
func (p *View) firstLook(ctx context.Context) components.Introduction {
	if p.State.Show != exhibit.Maps {
		return components.Introduction{}
	}
	look := components.Introduction{Kind: "first"}
	if tries := p.tries(ctx); len(tries) > 0 {
		look.Try, look.More = tries[:1], tries[1:]
	}
	usual := p.sceneState(scene.First)
	if p.Typed == scene.First.Text && seenAs(p.State) == seenAs(usual) {
		p.describe(ctx, &look, scene.First, usual)
		look.Again = components.Link{}
	}
	if look.Sentence == "" || look.Note != "" {
		look.Sentence, look.Again = p.ownText()
		look.Note = ""
	}
	look.Next = components.Link{Label: p.T("walk.start"), Hint: p.T("walk.start-hint"), URL: address.Wall(p.walkState(1))}
	return look
}

// tries returns links to states that are worth trying next, the most instructive first.
func (p *View) tries(ctx context.Context) []components.Try {
	var all []components.Try
	add := func(id string, st address.State, hint string, args ...any) {
		st.Pin, st.Step = address.Pin{}, 0
		all = append(all, components.Try{ID: id, Link: components.Link{Label: p.T("try."+id+".label", args...), Hint: hint,
			URL: address.Wall(st)}})
	}
	here := p.State.Untold()
	if racing, ok := p.raceInstead(here); ok {
		add("race", racing, p.T("try.race.hint"))
	}
	if word, st, ok := p.hideOne(here); ok {
		add("hide", st, p.T("try.hide.hint"), "word", word)
	}
	if b := p.blockOne(ctx, here); b.word != "" {
		add("block", b.next, b.hint, "word", b.word)
		if b.decides {
			all = slices.Insert(all[:len(all)-1:len(all)-1], 0, all[len(all)-1])
		}
	}
	return all
}

// hideOne masks a content word of a text that has no masked word. It prefers words that are one token and occur once
// in the text, and of these the most frequent one in the training texts: the order of the vocabulary tells how
// frequent a token is. No model predicts long, rare words.
func (p *View) hideOne(st address.State) (word string, next address.State, ok bool) {
	tokens := p.Sel.Report.Tokens
	times := map[int]int{}
	for _, t := range tokens {
		if t.IsMask() {
			return "", st, false
		}
		times[t.ID]++
	}
	key, best := "", []int(nil)
	for _, cell := range p.Site.Vocab.Words(st.Text, tokens) {
		t := tokens[cell.First]
		rank := []int{cell.Last - cell.First, times[t.ID], t.ID}
		if exhibit.IsContent(st.Text, cell) && (key == "" || slices.Compare(rank, best) < 0) {
			word, key, best = p.written(cell), address.WordKey(cell), rank
		}
	}
	if key == "" {
		return "", st, false
	}
	next, asked, err := address.Toggle(url.Values{address.Hide: {key}}, st, p.Site.Vocab)
	return word, next, asked && err == nil
}
