package mechanism

import (
	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/messages"
	"attnatlas/web/site"
)

// setting states the sizes for which the numbers of a background hold.
func (p *page) setting(e *site.Mechanism, n int) string {
	model := p.Site.SizedLike(*e)
	if model == nil {
		return "."
	}
	whose := "setting." + p.Site.Owner()
	switch {
	case engine.FindGuest(e.ID) != nil:
		whose = "setting.own"
	case p.Site.Model(e.ID) != nil:
	case e.Stack != nil:
		whose = "setting.default"
	default:
		whose = "setting.like-" + p.Site.Owner()
	}
	sizes := messages.New("setting.sizes", "width", model.Width, "heads", model.Heads, "positions", model.Length,
		"tokens", n)
	if e.Stack != nil {
		sizes = messages.New("setting.stack", "layers", e.Facts(model).Runs, "width", model.Width, "heads", model.Heads,
			"positions", model.Length, "tokens", n)
	}
	return p.T("setting.all", "whose", messages.New(whose), "sizes", sizes)
}

// story returns the explanation of a mechanism, and names the model to which it refers.
func (p *page) story(e *site.Mechanism) []string {
	if engine.FindGuest(e.ID) != nil {
		return p.Language.Paragraphs(e.Story)
	}
	story := append(p.ownStory(e), p.Language.Paragraphs(e.Story)...)
	switch {
	case e.Stack == nil:
	case e.Stack.ID == encoder.Encoder.ID: // the mechanisms' own models are the bundled ones
	case e.ID != e.Stack.ID:
		story = append(story, p.T("story.pairing", "name", e.Stack.Name))
	case !p.Site.Trained(e.ID):
		story = append(story, p.T("story.untrained", "id", e.ID))
	}
	return story
}
