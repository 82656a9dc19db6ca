package plane

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"strconv"

	"attnatlas/components"
	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/site"
	"attnatlas/web/unroll"
)

// pageView is the page "/plane".
type pageView struct {
	components.Page
	Problem string
	Form    components.AskedText
	Layers  []unroll.ChoiceLink
	Heads   []unroll.ChoiceLink
	Words   []unroll.ChoiceLink
	Says    []string
	Picture *Picture // nil if there is an error
	Largest string   // caption of the rows
	Rows    [][]string
	Links   []components.Link
}

// Picture is a square with points.
type Picture struct {
	Label  string
	Centre planePlace
	Axes   [2]string
	Lines  []keyLine
	Points []Point
}

// planePlace is a position in the square, 0…1 from the left and from the top.
type planePlace struct{ X, Y float64 }

// keyLine connects a query with a key.
type keyLine struct {
	From, To    planePlace
	Width, Says string
}

// Point is a query or a key.
type Point struct {
	planePlace
	Class       string // "query" or "key"
	Chosen      bool   // it is the query with lines, or one of their keys
	Says, URL   string
	Label       string
	Shown       bool // there is room for the label
	Anchor      string
	Left, Below string // start of the label, in pixels from the point
}

// serve answers GET /plane. If there is nothing to show, the reason is above the form.
func (s *pages) serve(w http.ResponseWriter, r *http.Request, q address.Query) error {
	l, status := site.Language(r), http.StatusOK
	f, err := s.find(r, q)
	v := s.form(l, q, f)
	switch {
	case err == nil:
		s.fill(l, &v, f)
	case site.StatusOf(err) >= http.StatusInternalServerError:
		return err
	default:
		v.Problem, status = site.FullStop(l.Say(site.MessageOf(err))), site.StatusOf(err)
	}
	return s.Render(w, r, status, PlanePage(v))
}

// form returns the page without results.
func (s *pages) form(l *messages.Language, q address.Query, f found) pageView {
	id := f.state.Mechanisms[0]
	v := pageView{
		Page: s.Head(l, "plane", l.T("plane.heading"), l.T("plane.summary"), q.State).With(files...),
	}
	model := components.Select{Name: address.Mechanisms, Label: l.T("plane.model")}
	v.Form = components.AskedText{Action: path, Text: site.Clean(q.State.Text), Label: l.T("plane.text"),
		Submit: l.T("plane.submit")}
	for _, key := range []string{address.Mask, address.CutKey, address.Compute, address.Theme} {
		if value := q.Get(key); value != "" {
			v.Form.Hidden = append(v.Form.Hidden, components.Field{Name: key, Value: value})
		}
	}
	for _, e := range s.Listed([]string{id}) {
		if e.ID == id || s.of(&e) != "" {
			model.Options = append(model.Options, components.SelectOption{Value: e.ID, Label: l.Say(e.Name),
				Selected: e.ID == id})
		}
	}
	v.Form.Selects = []components.Select{model}
	return v
}

// mostLines is the number of keys with lines and rows.
const mostLines = 6

// fill adds the results.
func (s *pages) fill(l *messages.Language, v *pageView, f found) {
	p, id := f.plane, f.state.Mechanisms[0]
	v.Says = []string{l.T("plane.share", "share", messages.Percent(p.Share(0, 2)),
		"first", messages.Percent(p.Share(0, 1)), "second", messages.Percent(p.Share(1, 2))), l.T("plane.moved", "moved", messages.Percent(p.Moved())),
		l.T("plane.centre")}
	choice := func(label string, chosen bool, change func(*address.State)) unroll.ChoiceLink {
		st := f.state
		st.Head = p.Head
		change(&st)
		to := components.Link{Label: label, URL: address.One(path, st.Word(), id, nil)}
		return unroll.ChoiceLink{Link: to, Chosen: chosen}
	}
	for i := range f.steps.Layers {
		v.Layers = append(v.Layers, choice(strconv.Itoa(i+1), i+1 == p.Layer, func(st *address.State) { st.Layer = i + 1 }))
	}
	for i := range f.steps.Heads {
		v.Heads = append(v.Heads, choice(strconv.Itoa(i+1), i+1 == p.Head, func(st *address.State) { st.Head = i + 1 }))
	}
	for i, t := range f.steps.Tokens {
		one := choice(t.Label(), i+1 == f.word, func(st *address.State) { st.Pin = address.Pin{Row: i + 1} })
		one.Hint = l.T("plane.select", "word", t.Label())
		v.Words = append(v.Words, one)
	}
	largest := p.Largest(f.word-1, mostLines)
	v.Picture = picture(l, f, v.Words, largest)
	v.rows(l, f, largest)
	v.Links = []components.Link{{Label: "JSON", URL: address.One(site.APIPath("plane"), f.state, id, nil)}}
}

// rows adds the largest weights with their scores.
func (v *pageView) rows(l *messages.Language, f found, largest []int) {
	row, word := f.word-1, v.Words[f.word-1].Label
	v.Largest = l.T("plane.largest", "word", word)
	apart := f.plane.Queries[row] == nil
	if apart {
		v.Says = append(v.Says, l.T("plane.apart", "word", word))
	}
	for _, j := range largest {
		cells := []string{v.Words[j].Label, messages.Percent(float64(f.plane.Weights.Value.At(row, j))),
			messages.Number(float64(f.plane.Scores.At(row, j))), messages.Number(f.plane.Score(row, j))}
		if apart {
			cells[2], cells[3] = "–", "–"
		}
		v.Rows = append(v.Rows, cells)
	}
}

// picture draws a plane whose words have links.
func picture(l *messages.Language, f found, words []unroll.ChoiceLink, largest []int) *Picture {
	p := f.plane
	at := square(slices.Concat(p.Queries, p.Keys))
	v := &Picture{Label: l.T("plane.picture", "layer", p.Layer, "head", p.Head), Centre: at([2]float64{})}
	for i := range v.Axes {
		v.Axes[i] = l.T("plane.axis", "number", i+1, "share", messages.Percent(p.Share(i, i+1)))
	}
	for i, word := range words {
		number := i + 1
		if q := p.Queries[i]; q != nil {
			v.Points = append(v.Points, Point{planePlace: at(*q), Class: "query", Chosen: number == f.word, Label: word.Label,
				URL: word.URL, Says: l.T("plane.query-of", "word", word.Label, "number", number)})
		}
		v.Points = append(v.Points, Point{planePlace: at(*p.Keys[i]), Class: "key", Chosen: slices.Contains(largest, i),
			Label: word.Label, URL: word.URL, Says: l.T("plane.key-of", "word", word.Label, "number", number)})
	}
	if from := p.Queries[f.word-1]; from != nil {
		for _, j := range largest {
			weight := float64(p.Weights.Value.At(f.word-1, j))
			v.Lines = append(v.Lines, keyLine{From: at(*from), To: at(*p.Keys[j]), Width: components.Percent((1 + 9*weight) / 100),
				Says: l.T("plane.line", "query", words[f.word-1].Label, "key", words[j].Label, "weight", messages.Percent(weight))})
		}
	}
	v.label()
	return v
}

// margin is the fraction of the square that stays free of points on each side.
const margin = 0.08

// square places points, and the origin, in a square. Both axes have the same scale, because directions matter.
func square(points []*[2]float64) func([2]float64) planePlace {
	var least, most [2]float64
	for _, p := range points {
		for r := 0; p != nil && r < 2; r++ {
			least[r], most[r] = min(least[r], p[r]), max(most[r], p[r])
		}
	}
	side := max(most[0]-least[0], most[1]-least[1])
	if side == 0 {
		side = 1
	}
	side /= 1 - 2*margin
	return func(p [2]float64) planePlace {
		return planePlace{0.5 + (p[0]-(least[0]+most[0])/2)/side, 0.5 - (p[1]-(least[1]+most[1])/2)/side}
	}
}

// Size of labels in pixels, and the narrowest square for which they are placed. A wider square has more room.
const (
	narrowest = 350
	letter    = 7
	high      = 14
	apart     = 7 // from the centre of a point
	longest   = 12
)

// box is a rectangle in pixels.
type box struct{ x, y, right, bottom float64 }

func (b box) meets(o box) bool {
	return b.x < o.right && o.x < b.right && b.y < o.bottom && o.y < b.bottom
}

// label places the labels of all points beside, above or below their points, starting with chosen points. The
// label of a point that is not chosen is left out if it would cover another label or a point.
func (v *Picture) label() {
	order, taken := make([]*Point, len(v.Points)), make([]box, 0, 2*len(v.Points))
	for i := range v.Points {
		p := &v.Points[i]
		order[i] = p
		x, y := p.X*narrowest, p.Y*narrowest
		taken = append(taken, box{x - 3, y - 3, x + 3, y + 3})
		if all := []rune(p.Label); len(all) > longest {
			p.Label = string(all[:longest-1]) + "…"
		}
	}
	slices.SortStableFunc(order, func(a, b *Point) int { return cmp.Compare(rank(a), rank(b)) })
	for _, p := range order {
		wide := float64(letter * len([]rune(p.Label)))
		least := math.Inf(1)
		var best box
		for _, to := range []struct {
			anchor      string
			left, below float64 // of the text's anchor and baseline
			shift       float64 // of the box's left edge, in widths
		}{{"start", apart, 4, 0}, {"end", -apart, 4, -1}, {"middle", 0, -apart - 1, -0.5}, {"middle", 0, apart + 10, -0.5},
			{"start", 4, -apart, 0}, {"start", 4, apart + 9, 0}, {"end", -4, -apart, -1}, {"end", -4, apart + 9, -1}} {
			x, y := p.X*narrowest+to.left+to.shift*wide, p.Y*narrowest+to.below
			b := box{x, y - high + 3, x + wide, y + 3}
			if b.x < 0 || b.right > narrowest || b.y < 0 || b.bottom > narrowest {
				continue
			}
			if covers := float64(overlaps(taken, b)); covers < least {
				least, best = covers, b
				p.Anchor, p.Left, p.Below = to.anchor, strconv.FormatFloat(to.left, 'f', -1, 64),
					strconv.FormatFloat(to.below, 'f', -1, 64)
			}
		}
		if p.Shown = least == 0 || p.Chosen && !math.IsInf(least, 1); p.Shown {
			taken = append(taken, best)
		}
	}
}

func overlaps(taken []box, b box) (count int) {
	for _, o := range taken {
		if o.meets(b) {
			count++
		}
	}
	return count
}

// rank returns the order in which points get labels.
func rank(p *Point) int {
	switch {
	case p.Chosen && p.Class == "query":
		return 0
	case p.Chosen:
		return 1
	}
	return 2
}
