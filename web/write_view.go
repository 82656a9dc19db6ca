package web

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/figure"
	"attnatlas/engine/tokenizer"
)

// writingFormulas are those of cross-attention, beside the stack's own (Vaswani et al. 2017,
// eq. 1 and sec. 3.2.3).
func writingFormulas(m *engine.ModelInfo) []string {
	read, write := `\mathrm{LN}(y)`, `y + AVW_O^\top`
	if m != nil && m.Norm == string(encoder.PostNorm) {
		read, write = `y`, `\mathrm{LN}(y + AVW_O^\top)`
	}
	return []string{`Q = ` + read + `W_Q^\top \quad K = MW_K^\top \quad V = MW_V^\top \quad A = \mathrm{softmax}(\frac{QK^\top}{\sqrt{d_h}}) \quad y ← ` + write}
}

var writingPadding = []string{
	"In a batch of texts the shorter ones are filled up with [PAD]. The mask of the source forbids the encoder’s self-attention and the cross-attention to read those columns, so that a text’s answer does not depend on what stands beside it in the batch. The mask of the target forbids the same to the decoder’s self-attention, together with all that comes later.",
	"On this page one text is read and one is written, so nothing is padded: the hatched cells of the decoder’s map are the future, and nothing else. Nor was anything padded while this model learned: the texts of a batch had the same length.",
}

// writingExamples are texts to begin with; what they say is to be seen was seen with the
// shipped weights.
var writingExamples = []components.Example{
	{Title: "A sentence", Text: defaultSource, Look: "Cross-attention, layer 2: a diagonal from the upper right to the lower left. The full stop comes first.", Shipped: true},
	{Title: "Numbers", Text: "one two three four five six seven", Look: "There is no grammar to help: every step has to find its place by counting."},
	{Title: "Repeated words", Text: "the dog chased the man and the man chased the dog", Look: "Which “the” is meant? Only the place tells, and the rows of equal words look at different columns.", Shipped: true},
	{Title: "Words in pieces", Text: "a recondite matter", Look: "recondite has several pieces. Inside a word the diagonal turns: pieces keep their order.", Shipped: true},
	{Title: "Chinese", Text: "小猫坐在地上。", Look: "Every Han character is a word."},
	{Title: "A long text", Text: "we saw the sea, and then it rained all day long, and so we went home again to read", Look: "24 of the 26 positions that the model was trained for. Does it still find its place?"},
	{Title: "Where it fails", Text: "red red red red red red red red red red", Look: "Ten times the same word: nothing but the place tells one from another, and it writes eleven. The verdict says so.", Shipped: true},
}

// writingView is the page as its component wants it.
func (s *Server) writingView(p *writePage) components.Writing {
	id := encoder.EncoderDecoder.ID
	e := &subject{Entry: &attention.Entry{ID: id}, Stack: &encoder.EncoderDecoder}
	if entry, stack, ok := engine.Find(id); ok {
		e = s.as(&subject{entry, stack})
	}
	w := components.Writing{
		Page: components.Page{
			Title: e.Name, Description: e.Summary, Section: "mechanism", Theme: p.state.Theme, Version: s.version, Weights: s.weights(),
		},
		Name: e.Name, Summary: e.Summary, Formulas: append([]string{e.Formula}, writingFormulas(s.model(id))...), Story: append(s.ownStory(*e), e.Stack.Story()...), Padding: writingPadding,
		Action: mechanismPath(id), Text: clean(p.state.Text), TextName: keyText, Problem: sentences(p.errs),
		Controls: p.controls(), Facts: writingFacts(s.model(id)), Background: components.Background{Paper: paper(e.Paper)},
		Differences: components.Differences{Of: s.differencesOf(id), List: e.Differences}, Choices: s.choices(e, s.model(id)),
	}
	for i := range s.subjects {
		if s.subjects[i].ID != id {
			continue
		}
		if i > 0 {
			w.Previous = s.neighbour(p.elsewhere(), i-1)
		}
		if i+1 < len(s.subjects) {
			w.Next = s.neighbour(p.elsewhere(), i+1)
		}
	}
	w.Back = components.Link{Label: "All mechanisms", Hint: "mechanisms and stacks", URL: "/m"}
	for _, example := range writingExamples {
		there := p.state
		there.Text, there.Step = example.Text, 0
		example.URL, example.Current = writeURL(there), example.Text == p.state.Text
		w.Examples = append(w.Examples, example)
	}
	w.Examples = s.seen(w.Examples)
	if !s.canWrite() {
		w.Untrained = "There is no trained model of the encoder–decoder yet, so there is nothing to show: weights that were not trained would write nonsense."
	}
	if p.written != nil {
		p.fill(&w)
	}
	return w
}

// elsewhere is the state of other pages with the same text: layers and heads are theirs.
func (p *writePage) elsewhere() State {
	s := p.state.State
	s.Layer, s.Head = 0, MeanHead
	return s
}

// fill adds what was written.
func (p *writePage) fill(w *components.Writing) {
	written, now := p.written, max(p.state.Step, 1)
	w.Step, w.Permalink = now, writeURL(p.state)
	w.StepField = components.Field{Name: keyStep}
	if p.state.Step > 0 {
		w.StepField.Value = strconv.Itoa(p.state.Step)
	}
	w.Source, w.Written, w.Verdict = tokenViews(written.Source), written.Text, verdict(written)
	for i := range written.Steps {
		w.Steps = append(w.Steps, p.step(i, i+1 == now))
	}
	for _, m := range writeMaps {
		view, err := writeFigure{writeState: p.state, of: m}.mapView(written)
		if err != nil { // resolve has replaced what there is not
			w.Problem = sentences([]error{err})
			continue
		}
		w.Maps = append(w.Maps, components.WritingMap{Title: strings.ToUpper(m.title[:1]) + m.title[1:], View: view})
	}
	w.Layers = p.writeLayers()
	w.DataURL = writeDrawingURL(p.state, written)
	w.Downloads = []components.Link{{Label: "JSON", Hint: "All steps and maps of this layer and head, exactly", URL: writeDataURL(p.state, written)}}
}

// writeDataURL is the address of the numbers of the maps.
func writeDataURL(s writeState, w *engine.Written) string {
	layer := s.Layer
	if layer == 0 {
		layer = len(w.Cross)
	}
	return address("/api/v1/write", url.Values{keyText: {s.Text}, keyLayer: {strconv.Itoa(layer)}, keyHead: {headName(s.Head)}})
}

// step is one step as the page tells of it.
func (p *writePage) step(i int, current bool) components.WritingStep {
	w := p.written
	there := p.state
	there.Step = i + 1
	labels := writtenLabels(w)
	s := components.WritingStep{
		Number: i + 1, Label: labels[i], URL: writeURL(there), Current: current,
		End: w.Stopped && i == len(w.Steps)-1, P: components.Number(w.Steps[i].Top[0].P),
		Read: append([]string{"[CLS]"}, labels[:i]...),
	}
	right := "[SEP]"
	if i < len(w.Answer) {
		right = w.Answer[i]
	}
	if !w.RightStep(i) {
		s.Wrong = pieceLabel(right)
	}
	s.Words = likelyWords(w.Steps[i].Top, right)
	return s
}

// likelyWords are words with bars; the one that is right is marked.
func likelyWords(words []engine.Word, right string) []components.Likely {
	list := make([]components.Likely, len(words))
	for i, w := range words {
		list[i] = components.Likely{
			Label: pieceLabel(w.Piece), P: components.Number(w.P), Exact: strconv.FormatFloat(w.P, 'g', -1, 32), Share: w.P, Right: w.Piece == right,
		}
	}
	return list
}

// verdict says whether the answer is right.
func verdict(w *engine.Written) components.Badge {
	if w.Right {
		return components.Badge{State: components.Holds, Text: "Right: these are the words of the text in reverse" + wordsAre(w.Source) + "."}
	}
	wrong := -1
	for i := range w.Steps {
		if !w.RightStep(i) {
			wrong = i
			break
		}
	}
	text := fmt.Sprintf("Wrong. Right would be “%s”%s.", w.AnswerText, wordsAre(w.Source))
	if wrong >= 0 {
		text += fmt.Sprintf(" The first mistake is step %d.", wrong+1)
	}
	if !w.Stopped {
		text += fmt.Sprintf(" The model did not end by itself; it was stopped after %s.", components.Count(len(w.Steps), "step"))
	}
	return components.Badge{State: components.Fails, Text: clean(text)}
}

// wordsAre says what counts as a word where readers would count otherwise: scripts that
// the vocabulary lacks are spelled in bytes, of which every character is a word to the model.
func wordsAre(source []tokenizer.Token) string {
	if slices.ContainsFunc(source, isByte) {
		return ", where every character that the vocabulary lacks counts as a word"
	}
	return ""
}

// writingFacts are where the model comes from, and how often it is right.
func writingFacts(m *engine.ModelInfo) []components.Fact {
	if m == nil {
		return nil
	}
	list := []components.Fact{
		{Label: "size", Value: fmt.Sprintf("%d layers each, width %d, %d heads, up to %d positions", m.Layers, m.Width, m.Heads, m.Length)},
		{Label: "parameters", Value: components.Grouped(m.Params), Help: "trainable numbers of the whole model"},
		{Label: "training", Value: fmt.Sprintf("%s steps, %s tokens, %.0f minutes on one thread", components.Grouped(m.Steps), components.Grouped(m.Tokens), m.Minutes)},
		{Label: "texts", Value: strings.Join(m.Data, ", ")},
		{Label: "commit", Value: m.Commit[:min(len(m.Commit), 10)] + ", seed " + strconv.FormatUint(m.Seed, 10), Help: "of the training code"},
	}
	if right, ok := m.Score["reverse"]; ok {
		list = slices.Insert(list, 0, components.Fact{Label: "right", Value: strconv.FormatFloat(100*right, 'f', 1, 64) + " % of validation texts", Help: "texts that it had not seen, of which every word was right"})
	}
	return list
}

// controls are the choices of the form.
func (p *writePage) controls() []components.Select {
	st := p.state
	layers, heads := 0, 0
	if p.written != nil {
		layers, heads = len(p.written.Cross), p.written.Heads
	}
	layer := components.Select{Name: keyLayer, Label: "Layer", Help: "Of encoder and decoder; layers count from 1, the first above the words"}
	for i := range layers {
		layer.Options = append(layer.Options, numbered(i+1, cmp.Or(st.Layer, layers)))
	}
	head := components.Select{Name: keyHead, Label: "Head", Help: "The mean over all heads, or one of them"}
	if heads > 0 {
		head.Options = []components.Option{{Value: headName(MeanHead), Label: "mean", Selected: st.Head == MeanHead}}
	}
	for i := range heads {
		head.Options = append(head.Options, numbered(i+1, st.Head))
	}
	norm := components.Select{Name: keyNorm, Label: "Colour", Help: "What counts as full colour"}
	for _, n := range figure.Norms() {
		norm.Options = append(norm.Options, named(n.String(), normWords[n], n == st.Norm))
	}
	scale := components.Select{Name: keyCmap, Label: "Scale", Help: "The colour scale"}
	for _, c := range figure.Palettes() {
		scale.Options = append(scale.Options, named(c.String(), cmapWords[c], c == st.Cmap))
	}
	theme := components.Select{Name: keyTheme, Label: "Theme"}
	for _, t := range themes {
		theme.Options = append(theme.Options, components.Option{Value: t, Label: t, Selected: t == st.Theme})
	}
	return []components.Select{layer, head, norm, scale, theme}
}
