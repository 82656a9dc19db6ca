package webtest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/ablation"
	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/fault"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/engine/nn"
	"attnatlas/engine/predict"
	"attnatlas/engine/similarity"
	"attnatlas/engine/tensor"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
	"attnatlas/web"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

// FakeEngine answers at once. Its maps depend on everything in the request, so that a test notices the answer to
// another request.
type FakeEngine struct {
	Calls atomic.Int64
	// Before, if set, runs first; its error is the answer.
	Before func(context.Context, engine.Request) error
	// Change, if set, may change a report.
	Change func(*engine.Report)
}

const (
	FakeLayers = 2
	FakeHeads  = 4
	FakeLength = 64
	// fakeWritingLength is the number of positions of the encoder–decoder.
	fakeWritingLength = 26
)

// Inspect returns a report at once.
func (f *FakeEngine) Inspect(ctx context.Context, r engine.Request) (*engine.Report, error) {
	f.Calls.Add(1)
	if f.Before != nil {
		if err := f.Before(ctx, r); err != nil {
			return nil, err
		}
	}
	report := &engine.Report{Text: r.Text}
	report.Tokens, report.Segments = tokenizer.Default().EncodePair(r.Text)
	for _, id := range r.Mechanisms {
		report.Mechanisms = append(report.Mechanisms, fakeResult(id, r, report.Tokens))
	}
	if f.Change != nil {
		f.Change(report)
	}
	report.LabelAxes()
	return report, nil
}

// MatchCost returns the zero cost.
func (f *FakeEngine) MatchCost(similarity.Question) engine.Cost { return engine.Cost{} }

// Match rates all passages as equally similar.
func (f *FakeEngine) Match(_ context.Context, r similarity.Question) (*similarity.Scores, error) {
	m := &similarity.Scores{Mechanism: r.Mechanism, Name: messages.Text(r.Mechanism), Kind: similarity.MeanPooling,
		Chosen: max(r.Chosen-1, 0)}
	read := func(text string) similarity.Text {
		return similarity.Text{Text: text, Tokens: tokenizer.Default().Encode(text), Score: 1}
	}
	m.Query = read(r.Query)
	for i, p := range r.Passages {
		m.Passages, m.Ranking = append(m.Passages, read(p)), append(m.Ranking, i)
	}
	n, k := len(m.Query.Tokens), len(m.Passages[m.Chosen].Tokens)
	m.Pairs = &similarity.Pairs{}
	for range n {
		m.Pairs.Cells = append(m.Pairs.Cells, slices.Repeat([]float64{1 / float64(n*k)}, k))
	}
	return m, nil
}

// Continues reports whether a model continues texts: only GPT-2 does.
func (f *FakeEngine) Continues(id string) bool { return id == encoder.GPT2.ID }

// ContinueCost returns the zero cost.
func (f *FakeEngine) ContinueCost(string, predict.Continue) engine.Cost { return engine.Cost{} }

// Continue repeats one word, and attends to all tokens equally.
func (f *FakeEngine) Continue(_ context.Context, id string, r predict.Continue) (*predict.Continuation, error) {
	if !f.Continues(id) {
		return nil, Refused(fault.Unsupported, "It writes nothing.")
	}
	c := &predict.Continuation{Ends: []string{"[SEP]"}, Text: strings.TrimSpace(strings.Repeat(" word", r.Words))}
	c.Tokens, _ = tokenizer.Default().EncodePair(r.Text)
	c.Tokens = c.Tokens[:len(c.Tokens)-1]
	for i := range r.Words + 1 {
		n := len(c.Tokens) + i
		weights := tensor.New(FakeHeads, n)
		for j := range weights.Data {
			weights.Data[j] = 1 / tensor.Elem(n)
		}
		one := predict.WrittenPiece{Top: []predict.Word{{Piece: "word", P: 0.7}, {Piece: "[SEP]", P: 0.2}},
			Weights: []*tensor.T{weights}}
		if i == r.Words {
			c.Next = &one
			break
		}
		one.Piece, one.Text, one.Word, one.P, one.Rank = "word", " word", i+1, 0.7, 1
		c.Written = append(c.Written, one)
	}
	return c, nil
}

// Refused returns an error with a sentence of the test.
func Refused(k fault.Kind, says string) *fault.Error {
	return &fault.Error{Kind: k, Msg: messages.Text(says)}
}

func fakeResult(id string, r engine.Request, tokens []tokenizer.Token) engine.Result {
	res := engine.Result{ID: id, Heads: FakeHeads, Model: FakeInfo(id)}
	e, stack, ok := engine.Find(id)
	if !ok {
		res.Err = fault.Errorf(fault.NotFound, "error.no-mechanism", "id", messages.Quote(id), "known",
			messages.List(engine.IDs()))
		return res
	}
	res.Entry, res.Stack = e, stack
	if res.Err = fakeRefusal(&res, r, len(tokens)); res.Err != nil {
		return res
	}
	if r.Race.Truth != "" {
		res.Attempts = fakeAttempts(&res, r, tokens)
		return res
	}
	res.Guesses = []predict.Guess{{Task: "topic", Classes: []predict.Class{{Name: "travel", P: 0.75},
		{Name: "home", P: 0.25}}}}
	if stack != nil {
		fakeStack(&res, r, len(tokens))
	}
	for layer := range FakeLayers {
		res.Layers = append(res.Layers, fakeLayer(&res, r, layer, len(tokens)))
	}
	res.Cut = r.Cuts.Of(id)
	fakeCut(&res, len(tokens))
	if writes(&res) {
		fakeGeneration(&res, r, tokens)
	}
	return res
}

// writes reports whether a result belongs to the encoder–decoder.
func writes(res *engine.Result) bool {
	return res.Stack != nil && res.Stack.ID == encoder.EncoderDecoder.ID
}

// fakeRefusal returns why a mechanism does not answer a request with n tokens, or nil.
func fakeRefusal(res *engine.Result, r engine.Request, n int) error {
	e, length, writes := res.Entry, FakeLength, writes(res)
	if writes {
		length = fakeWritingLength
	}
	switch {
	case r.Mask == nn.Causal && e.Masks.NoCausal.String() != "":
		return Refused(fault.Unsupported, e.Masks.NoCausal.String())
	case n > length:
		return fault.Errorf(fault.Unsupported, "error.too-long", "positions", length, "tokens", n, "over", n-length)
	case r.Method.Name != "" && !r.Method.Method().Why(e).IsZero():
		return Refused(fault.Unsupported, r.Method.Method().Why(e).String())
	case writes && r.Mask == nn.Causal:
		return fault.Errorf(fault.Unsupported, "error.generation.mask")
	case writes && LayerOf(r, method.Influence) > 0:
		return fault.Errorf(fault.Unsupported, "error.influence.two-stacks")
	}
	return nil
}

// fakeLayer returns a layer, from 0, of a result with n tokens.
func fakeLayer(res *engine.Result, r engine.Request, layer, n int) engine.Layer {
	l := engine.Layer{Number: layer + 1, Name: fmt.Sprintf("layer %d", layer+1)}
	for k, v := range res.Entry.Views {
		l.Maps = append(l.Maps, fakeMap(v.Map, k, seed(r, res.ID, layer, v.Map), n, r.Mask))
	}
	l.Maps = append(l.Maps, awkwardMap())
	if LayerOf(r, method.Influence) == layer+1 {
		name := method.Influence
		if r.Method.Exact {
			name = "exact " + name
		}
		one, _ := fakeMap("contribution", 0, seed(r, res.ID, layer, name), n, r.Mask).Head(0)
		one.Name = method.Influence
		if res.ID == "shuffle-exchange" && !r.Method.Exact {
			res.Estimate = method.Estimate{Directions: 8, Of: 128, Error: 0.0625}
		}
		l.Maps = append(l.Maps, one)
	}
	if r.Method.Name == method.Rollout {
		one, _ := fakeMap("weights", 0, seed(r, res.ID, layer, method.Rollout), n, r.Mask).Head(0)
		one.Name = method.Rollout
		l.Maps = append(l.Maps, one)
	}
	l.Maps = append(l.Maps, fakeMethods(res, r, layer+1, n)...)
	return l
}

// fakeCut sets the columns of blocked words to 0 in all maps of a text, marks ablated heads, and reverses the order
// of the classes of the text.
func fakeCut(res *engine.Result, n int) {
	for _, c := range res.Cut {
		slices.Reverse(res.Guesses[0].Classes)
		for i := range res.Layers {
			l := &res.Layers[i]
			if c.Kind == ablation.CutHead && c.Layer == i+1 {
				l.CutHeads = make([]bool, FakeHeads)
				l.CutHeads[c.Head-1] = true
			}
			for _, m := range l.Maps {
				for at := range m.Value.Data {
					if c.Kind == ablation.CutWord && m.Value.Dim(-1) == n && at%n == c.Col-1 {
						m.Value.Data[at] = 0
					}
				}
			}
		}
	}
}

// LayerOf returns the layer for which a request asks for a method, or 0 if it does not.
func LayerOf(r engine.Request, name string) int {
	if r.Method.Name == name {
		return r.Method.Layer
	}
	return 0
}

// fakeMethods returns the maps of the attribution methods that the request asks for in a layer.
func fakeMethods(res *engine.Result, r engine.Request, layer, n int) []trace.Map {
	var maps []trace.Map
	add := func(asked int, kind trace.Kind, names ...string) {
		for _, name := range names {
			if asked == layer {
				m := fakeMap("weights", 0, seed(r, res.ID, layer, name), n, r.Mask)
				if name != method.NormHead {
					m, _ = m.Head(0)
				}
				m.Name, m.Kind = name, kind
				maps = append(maps, m)
			}
		}
	}
	add(LayerOf(r, method.ValueZeroing), trace.Probability, method.ValueZeroing, method.ValueZeroingMixer)
	add(LayerOf(r, method.Norm), trace.Length, method.Norm, method.NormHead)
	add(LayerOf(r, method.Flow), trace.Probability, method.Flow)
	if r.Method.Name == method.Flow && strings.Contains(r.Text, "saturated") {
		res.Remark = "saturated"
	}
	return maps
}

// fakeGeneration writes the tokens of the text in reverse, for every task, with a wrong token where the text asks
// for one. Its maps depend on the task.
func fakeGeneration(res *engine.Result, r engine.Request, source []tokenizer.Token) {
	tasks := predict.WritingTasks()
	g := &predict.Generation{Tasks: tasks, Task: cmp.Or(r.Task, tasks[0]), Stopped: true,
		Right: !strings.Contains(r.Text, "wrong")}
	for _, t := range source[1 : len(source)-1] {
		g.Answer = append([]string{t.Piece}, g.Answer...)
	}
	pieces := slices.Clone(g.Answer)
	if !g.Right {
		pieces[1] = "<E7>"
	}
	g.AnswerText, g.Text = strings.Join(g.Answer, " "), strings.Join(pieces, " ")
	for i, p := range append(pieces, "[SEP]") {
		g.Steps = append(g.Steps, predict.WrittenWord{Piece: p,
			Top: []predict.Word{{Piece: p, P: 0.5 + 0.01*float64(i)}, {Piece: "the", P: 0.25}, {Piece: "##ing", P: 0.125}}})
	}
	res.Generated = g
	n, m := len(g.Steps), len(source)
	parts := []engine.Part{{Name: engine.CrossPart}, {Name: engine.DecoderPart}, {Name: engine.EncoderPart},
		{Name: engine.EncoderRolloutPart}}
	for layer := range FakeLayers {
		at := float32(layer + 1 + 40*slices.Index(tasks, g.Task))
		cross, decoder, own := weightsMap(n, m, at), weightsMap(n, n, at+10), weightsMap(m, m, at+20)
		rollout := weightsMap(m, m, at+30).HeadMean()
		cross.Axes[1], decoder.Axes[1].Labels, decoder.Axes[1].Name = trace.Axis{Role: trace.Query, Name: "writes",
			Labels: g.Labels()}, g.Labels(), "writes"
		decoder.Axes[2].Labels = append([]string{"[CLS]"}, g.Labels()[:n-1]...)
		decoder.Reach = func(q, k int) bool { return k <= q }
		rollout.Name = method.Rollout
		for i, one := range []trace.Map{cross, decoder, own, rollout} {
			parts[i].Layers = append(parts[i].Layers, engine.Layer{Number: layer + 1, Name: fmt.Sprintf("layer %d", layer+1),
				Maps: []trace.Map{one}})
		}
	}
	res.Parts = parts
}

// weightsMap returns a map whose values have the head, row and column in their digits.
func weightsMap(rows, cols int, at float32) trace.Map {
	t := trace.Map{Name: "weights", Kind: trace.Probability, Value: tensor.New(FakeHeads, rows, cols),
		Axes: []trace.Axis{{Role: trace.Head}, {Role: trace.Query}, {Role: trace.Key}}}
	for i := range t.Value.Data {
		t.Value.Data[i] = tensor.Elem(at)/100 + tensor.Elem(i)/1e6
	}
	return t
}

// fakeStack adds the maps of an architecture, with a number for each of two steps and each token.
func fakeStack(res *engine.Result, r engine.Request, n int) {
	for _, v := range res.Stack.Views {
		m := trace.Map{Name: v.Map, Kind: trace.Gate, Value: tensor.New(2, n),
			Axes: []trace.Axis{{Role: trace.Ponder, Labels: []string{"step 1", "step 2"}}, {Role: trace.Token}}}
		for at := 0; at < m.Value.Len(); at += n {
			fillRow(m.Value.Data[at:][:n], seed(r, res.ID, v.Map)+uint64(at), nil, 0, m.Kind)
		}
		res.Maps = append(res.Maps, m)
	}
	if res.Stack.ID == encoder.Universal.ID {
		res.Charges = []engine.Charge{{Name: "ponder", Value: 0.0025}}
	}
}

// fakeMap returns a square map if it is the first of a mechanism, else a strip.
func fakeMap(name string, k int, seed uint64, n int, mask nn.MaskKind) trace.Map {
	axes := []trace.Axis{{Role: trace.Head}, {Role: trace.Query}, {Role: trace.Key}}
	shape := []int{FakeHeads, n, n}
	kind := trace.Probability
	if k > 0 {
		axes, shape = []trace.Axis{{Role: trace.Head}, {Role: trace.Token}}, []int{FakeHeads, n}
	} else if name == "contribution" {
		kind = trace.Weight
	}
	m := trace.Map{Name: name, Axes: axes, Kind: kind, Value: tensor.New(shape...)}
	if mask == nn.Causal && k == 0 {
		m.Reach = func(q, key int) bool { return key <= q }
	}
	for at := 0; at < m.Value.Len(); at += n {
		fillRow(m.Value.Data[at:][:n], seed+uint64(at), m.Reach, at/n%n, kind)
	}
	return m
}

func fillRow(row []tensor.Elem, seed uint64, reach func(q, k int) bool, q int, kind trace.Kind) {
	sum := tensor.Elem(0)
	for j := range row {
		if reach != nil && !reach(q, j) {
			continue
		}
		seed = seed*6364136223846793005 + 1442695040888963407
		row[j] = tensor.Elem(seed>>40) + 1
		sum += row[j]
	}
	if kind == trace.Weight {
		sum /= 7
	}
	for j := range row {
		row[j] /= sum
	}
}

// awkward are numbers that a careless encoder or decoder would change.
var awkward = []tensor.Elem{
	tensor.Elem(math.Copysign(0, -1)), 0, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 1e-40,
	math.MaxFloat32, -math.MaxFloat32, 1.0 / 3, 0.1, 16777216, 16777217, 1e21, 1e-7, 0.99999994,
	tensor.Elem(math.NaN()), tensor.Elem(math.Inf(1)), tensor.Elem(math.Inf(-1)), 1.1754942e-38,
}

func awkwardMap() trace.Map {
	return trace.Map{
		Name: "awkward", Kind: trace.Activation, Value: tensor.From(awkward, 3, 6),
		Axes: []trace.Axis{{Role: trace.Token}, {Role: trace.Channel}},
	}
}

func seed(r engine.Request, parts ...any) uint64 {
	h := fnv.New64a()
	if parts[0] == encoder.EncoderDecoder.ID {
		h.Write([]byte(r.Task))
	}
	for _, p := range append(parts, r.Text, r.Mask, r.Cuts.KeyFor(r.Mechanisms)) {
		switch p := p.(type) {
		case string:
			h.Write([]byte(p))
		case int:
			h.Write([]byte{byte(p), 0xff})
		case nn.MaskKind:
			h.Write([]byte{byte(p), 0xfe})
		}
	}
	return h.Sum64()
}

// FakeInfo returns the description of a model with the sizes of a FakeEngine.
func FakeInfo(id string) *engine.ModelInfo {
	return &engine.ModelInfo{
		Mechanism: id, Layers: FakeLayers, Heads: FakeHeads, Width: 128, Length: FakeLength, Longest: FakeLength,
		Params: 1234567,
		Steps:  3000, Tokens: 6_000_000, Seed: 7, Loss: 3.25, Score: map[string]float64{"topic": 0.9, "feeling": 0.61},
		Data: []string{"stories (CC0)", "everyday (CC0)"}, Commit: "0123456789abcdef", Minutes: 12.5,
	}
}

// NewServer returns a server with a fake engine and without a log.
func NewServer(t testing.TB, f *FakeEngine) *site.Server {
	t.Helper()
	s, err := web.New(site.Options{
		Inspector: f, Entries: attention.Catalog, Stacks: encoder.Stacks, Version: "test",
		Info: func(id string) (*engine.ModelInfo, error) { return FakeInfo(id), nil },
		Log:  slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Get sends a GET request to a server; headers come in pairs.
func Get(s http.Handler, target string, headers ...string) *httptest.ResponseRecorder {
	return Ask(s, http.MethodGet, target, headers...)
}

// Record returns the answer of a server to a request.
func Record(s http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// Ask sends a request with a method to a server; headers come in pairs.
func Ask(s http.Handler, method, target string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	r.Host = "localhost"
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := Record(s, r)
	if _, packed := r.Header["Accept-Encoding"]; packed {
		return w // unchanged, because it may be compressed
	}
	if h := w.Header(); strings.HasPrefix(h.Get("Content-Type"), "text/html") {
		w.Body = resolved(w.Body.Bytes())
	}
	if to := w.Header().Get("Location"); to != "" {
		w.Header().Set("Location", upwards.ReplaceAllString(to, "/"))
	}
	return w
}

// upwards matches the beginning of a relative address. All addresses of a page begin at the root of our server.
var upwards = regexp.MustCompile(`^(?:\./|(?:\.\./)+)`)

// addressed lists the attributes whose addresses a browser resolves.
var addressed = []string{"href", "src", "srcset", "action", "data-src", "data-permalink"}

// resolved returns a page with its addresses resolved, as a browser does. Pages can have megabytes, so only the places
// where a relative address can begin are looked at.
func resolved(page []byte) *bytes.Buffer {
	var out bytes.Buffer
	for {
		at := bytes.Index(page, []byte(`=".`))
		if at < 0 {
			out.Write(page)
			return &out
		}
		out.Write(page[:at+2])
		tag := page[:at]
		name := tag[bytes.LastIndexAny(tag, " \n\t<")+1:]
		page = page[at+2:]
		if up := upwards.Find(page[:min(len(page), 1<<10)]); up != nil && slices.Contains(addressed, string(name)) {
			out.WriteByte('/')
			page = page[len(up):]
		}
	}
}

// NewPage returns a page of the wall before it runs the engine.
func NewPage(s *site.Server, st address.State) *wall.View {
	return &wall.View{Site: wall.New(s), Language: messages.English, State: st, Typed: st.Text}
}
