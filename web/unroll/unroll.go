package unroll

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/components"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
	"attnatlas/engine/trace"
	"attnatlas/web/address"

	"github.com/a-h/templ"
)

// unroller holds the common data of pages that take one layer of a model apart.
type unroller struct {
	Drawer
	labels []string // tokens of the text
}

// newUnroller selects the pinned token, or the second, because the first is [CLS].
func newUnroller(l *messages.Language, st address.State, labels []string) unroller {
	return unroller{Drawer{Language: l, State: st, Word: cmp.Or(st.Pin.Row, Unpinned(labels))}, labels}
}

// Unpinned returns the token, from 1, that is selected by default: the one after [CLS].
func Unpinned[T any](words []T) int { return min(2, len(words)) }

func (u unroller) label(word int) string { return u.labels[word] }

// words returns links to the tokens of the text, which select them.
func (u unroller) words(to func(address.State) string) (list []ChoiceLink) {
	for i, label := range u.labels {
		st, hint := u.State, "steps.follow"
		st.Pin = address.Pin{Row: i + 1}
		if i+1 == u.Word {
			hint = "steps.followed"
		}
		list = append(list, ChoiceLink{Link: components.Link{Label: label, Hint: u.Language.T(hint, "word", label),
			URL: to(st)}, Chosen: i+1 == u.Word})
	}
	return list
}

// layersAndHeads returns the links to layers and heads.
func (u unroller) layersAndHeads(layers, heads int, to func(address.State) string) []Choices {
	var all [2][]ChoiceLink
	for i := range layers {
		st := u.State
		st.Layer = i + 1
		all[0] = append(all[0], ChoiceLink{Link: components.Link{Label: strconv.Itoa(i + 1), URL: to(st)},
			Chosen: i+1 == u.State.Layer})
	}
	for i := range heads {
		st := u.State
		st.Head = i + 1
		all[1] = append(all[1], ChoiceLink{Link: components.Link{Label: strconv.Itoa(i + 1), URL: to(st)},
			Chosen: i+1 == u.State.Head})
	}
	return []Choices{{Label: u.Language.T("steps.layers"), List: all[0]},
		{Label: u.Language.T("steps.heads"), List: all[1]}}
}

// frame returns a frame with its title and text from the message catalogue.
func (u unroller) frame(page, id string, body templ.Component, args ...any) Frame {
	key := page + ".frame." + id
	return Frame{ID: "frame-" + id, Title: u.Language.T(key+".title", args...), Say: u.Language.T(key+".say", args...),
		Body: body}
}

// frames builds frames one after another.
func (u unroller) frames(steps ...func() (Frame, error)) (list []Frame, err error) {
	for _, one := range steps {
		f, err := one()
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

// ofWords returns a map whose rows are the tokens.
func (u unroller) ofWords(rows [][]tensor.Elem, cols trace.Axis) trace.Map {
	return trace.Map{
		Name: "products", Kind: trace.Activation, Value: tensor.From(slices.Concat(rows...), len(rows), len(rows[0])),
		Axes: []trace.Axis{{Role: trace.Token, Text: true, Labels: u.labels}, cols},
	}
}

// hiddenOf returns the parameters of a URL as hidden fields of a form, without those that the form
// shows.
func hiddenOf(to string, shown ...string) (list []components.Field) {
	_, query, _ := strings.Cut(to, "?")
	v, err := url.ParseQuery(query)
	if err != nil {
		return nil // the URL is our own
	}
	for key, values := range v {
		for _, value := range values {
			if !slices.Contains(shown, key) {
				list = append(list, components.Field{Name: key, Value: value})
			}
		}
	}
	slices.SortFunc(list, func(a, b components.Field) int {
		return strings.Compare(a.Name+"="+a.Value, b.Name+
			"="+b.Value)
	})
	return list
}
