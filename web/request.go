package web

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"attnatlas/engine"
	"attnatlas/engine/figure"
	"attnatlas/engine/nn"
)

// maxNumber bounds the numbers of a URL, so that arithmetic on them cannot
// overflow. No text has as many tokens, no model as many layers.
const maxNumber = 1_000_000

// ParamError says which parameter of a URL was wrong and what would be right.
type ParamError struct {
	Param string
	Err   *engine.Error
}

func (e ParamError) Error() string { return e.Err.Error() }

// Unwrap gives the error with its kind.
func (e ParamError) Unwrap() error { return e.Err }

func invalid(param, format string, args ...any) ParamError {
	return ParamError{Param: param, Err: engine.Errorf(engine.Invalid, format, args...)}
}

// shown quotes a value for an error message, shortened: the message must not
// repeat a text of many kilobytes.
func shown(s string) string {
	const limit = 40
	if runes := []rune(s); len(runes) > limit {
		s = string(runes[:limit]) + "…"
	}
	return strconv.Quote(s)
}

// Decode reads the state of a page from the parameters of its URL. Parameters
// that are absent have their defaults; a parameter that is wrong, unknown or
// given twice is an error whose sentences name it and say what is allowed.
func Decode(v url.Values) (State, error) {
	s, bad := decodeState(v)
	bad = append(bad, unknownParams(v, stateKeys)...)
	if len(bad) > 0 {
		return State{}, joinParams(bad)
	}
	return s, nil
}

// joinParams makes one error of several, with all sentences.
func joinParams(bad []ParamError) *engine.Error {
	sentences := make([]string, len(bad))
	for i, b := range bad {
		sentences[i] = b.Err.Msg
	}
	return engine.Errorf(engine.Invalid, "%s.", strings.Join(sentences, ". "))
}

// Encode is the inverse of Decode. The result is canonical: a parameter with
// its default value is left out.
func Encode(s State) url.Values {
	v, def := url.Values{}, DefaultState()
	set := func(key, value, def string) {
		if value != def {
			v.Set(key, value)
		}
	}
	set(keyText, s.Text, def.Text)
	set(keyMech, strings.Join(s.Mechanisms, ","), strings.Join(def.Mechanisms, ","))
	if s.Layer > 0 {
		v.Set(keyLayer, strconv.Itoa(s.Layer))
	}
	set(keyHead, headName(s.Head), headName(def.Head))
	set(keyNorm, s.Norm.String(), def.Norm.String())
	set(keyCmap, s.Cmap.String(), def.Cmap.String())
	set(keyMask, s.Mask.String(), def.Mask.String())
	set(keyShow, s.Show.String(), def.Show.String())
	set(keyTheme, s.Theme, def.Theme)
	if s.Pin != (Pin{}) {
		v.Set(keyPin, s.Pin.String())
	}
	if len(s.Was) > 0 {
		v[keyWas] = s.Was
	}
	return v
}

// headName is the value of "head" in URLs and file names.
func headName(h int) string {
	if h == MeanHead {
		return "mean"
	}
	return strconv.Itoa(h)
}

// String is the value of "pin" in URLs.
func (p Pin) String() string { return fmt.Sprintf("%d.%d", p.Row, p.Col) }

var stateKeys = []string{keyText, keyMech, keyLayer, keyHead, keyNorm, keyCmap, keyMask, keyShow, keyTheme, keyPin, keyWas}

// decodeState reads what it can: a parameter that is wrong is reported and has
// its default in the state. It does not look at parameters that it does not know.
func decodeState(v url.Values) (State, []ParamError) {
	d, def := decoder{values: v}, DefaultState()
	s := State{
		Text:       d.text(keyText, def.Text),
		Mechanisms: d.ids(keyMech, def.Mechanisms),
		Layer:      d.number(keyLayer, def.Layer),
		Head:       d.head(keyHead),
		Norm:       choose(&d, keyNorm, figure.Norms(), def.Norm),
		Cmap:       choose(&d, keyCmap, figure.Palettes(), def.Cmap),
		Mask:       choose(&d, keyMask, masks, def.Mask),
		Show:       choose(&d, keyShow, []Show{ShowMaps, ShowInfluence, ShowRollout}, def.Show),
		Theme:      d.choice(keyTheme, themes, def.Theme),
		Pin:        d.pin(keyPin),
		Was:        v[keyWas],
	}
	return consistent(s), d.bad
}

func unknownParams(v url.Values, known []string) []ParamError {
	var bad []ParamError
	for key := range v {
		if !slices.Contains(known, key) {
			bad = append(bad, invalid(key, "there is no parameter %s; there are %s", shown(key), strings.Join(known, ", ")))
		}
	}
	slices.SortFunc(bad, func(a, b ParamError) int { return strings.Compare(a.Param, b.Param) })
	return bad
}

// decoder reads parameters one by one and collects what is wrong with them.
type decoder struct {
	values url.Values
	bad    []ParamError
}

func (d *decoder) fail(param, format string, args ...any) {
	d.bad = append(d.bad, invalid(param, format, args...))
}

// get is the only value of a parameter; ok is false when it is absent or given
// more than once.
func (d *decoder) get(key string) (value string, ok bool) {
	all := d.values[key]
	if len(all) > 1 {
		d.fail(key, "%s is given %d times; give it once", key, len(all))
	}
	if len(all) != 1 {
		return "", false
	}
	return all[0], true
}

// text keeps the first of repeated texts: whatever is wrong, the visitor should
// find what was typed still in the form.
func (d *decoder) text(key, def string) string {
	if value, ok := d.get(key); ok {
		return value
	}
	if all := d.values[key]; len(all) > 0 {
		return all[0]
	}
	return def
}

func (d *decoder) choice(key string, allowed []string, def string) string {
	value, ok := d.get(key)
	if !ok {
		return def
	}
	if !slices.Contains(allowed, value) {
		d.fail(key, "%s=%s is not one of %s", key, shown(value), strings.Join(allowed, ", "))
		return def
	}
	return value
}

// choose reads one of some values by its name.
func choose[T fmt.Stringer](d *decoder, key string, from []T, def T) T {
	names := make([]string, len(from))
	for i, t := range from {
		names[i] = t.String()
	}
	return from[slices.Index(names, d.choice(key, names, def.String()))]
}

// number reads a whole number from 1, or def.
func (d *decoder) number(key string, def int) int {
	value, ok := d.get(key)
	if !ok {
		return def
	}
	n, ok := wholeNumber(value)
	if !ok {
		d.fail(key, "%s=%s is not a whole number from 1 to %d, such as %s=2", key, shown(value), maxNumber, key)
		return def
	}
	return n
}

func (d *decoder) head(key string) int {
	value, ok := d.get(key)
	if !ok || value == headName(MeanHead) {
		return MeanHead
	}
	n, ok := wholeNumber(value)
	if !ok {
		d.fail(key, "%s=%s is neither mean nor a whole number from 1 to %d, such as %s=3", key, shown(value), maxNumber, key)
		return MeanHead
	}
	return n
}

func (d *decoder) pin(key string) Pin {
	value, ok := d.get(key)
	if !ok {
		return Pin{}
	}
	row, col, _ := strings.Cut(value, ".")
	i, ok1 := wholeNumber(row)
	j, ok2 := wholeNumber(col)
	if !ok1 || !ok2 {
		d.fail(key, "%s=%s is not a row and a column counted from 1, such as %s=4.7", key, shown(value), key)
		return Pin{}
	}
	return Pin{Row: i, Col: j}
}

// ids reads a list of ids: separated by commas, or the parameter repeated as
// the checkboxes of a form do, or both. A repeated id counts once.
func (d *decoder) ids(key string, def []string) []string {
	all, ok := d.values[key]
	if !ok {
		return def
	}
	var ids []string
	for _, id := range strings.Split(strings.Join(all, ","), ",") {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		d.fail(key, "%s is empty; name at least one mechanism, such as %s=dense", key, key)
		return def
	}
	if len(ids) > maxMechanisms {
		d.fail(key, "%s names %d mechanisms; at most %d are shown together", key, len(ids), maxMechanisms)
		return def
	}
	return ids
}

var masks = []nn.MaskKind{nn.NoMask, nn.Causal}

// maxMechanisms leaves room for every mechanism of the catalogue, and keeps a
// hostile URL from asking for thousands.
const maxMechanisms = 32

// wholeNumber reads 1, 2, 3, … in the one way in which they are written: no
// sign, no leading zero, no exponent.
func wholeNumber(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > maxNumber || strconv.Itoa(n) != s {
		return 0, false
	}
	return n, true
}
