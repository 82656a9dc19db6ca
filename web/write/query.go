package write

import (
	"math"
	"net/url"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
	"attnatlas/engine/predict"
	"attnatlas/web/address"
)

// Path of the page, and its keys.
const (
	Path = "/write"
	// Words is the key of the number of tokens to write.
	Words = "words"
	// Temperature, TopK and Seed are the keys of how tokens are drawn.
	Temperature = "temperature"
	TopK        = "topk"
	Seed        = "seed"
	// Take is the key of tokens that are chosen and not drawn: 3.2,7.1 takes the second most likely token as the
	// third one.
	Take = "take"
)

// Asked holds how a text is continued, besides the state.
type Asked struct {
	Words       int
	Temperature float64
	TopK        int
	Seed        uint64
	Taken       []predict.Taken
}

// usually is the default continuation.
var usually = Asked{Words: 24, Temperature: 0.8, TopK: 40, Seed: 1}

// askedTable holds the page's own parameters.
var askedTable = address.ParamTable[Asked]{
	address.Custom(Words, func(d *address.Decoder, a *Asked) {
		a.Words = int(parseNumber(d, Words, uint64(usually.Words), predict.MostContinued))
	}, func(a Asked) string { return strconv.Itoa(a.Words) }),
	address.Custom(Temperature, func(d *address.Decoder, a *Asked) { a.readTemperature(d) },
		func(a Asked) string { return a.temperature() }),
	address.Custom(TopK, func(d *address.Decoder, a *Asked) {
		a.TopK = int(parseNumber(d, TopK, uint64(usually.TopK), mostTopK))
	}, func(a Asked) string { return strconv.Itoa(a.TopK) }),
	address.Custom(Seed, func(d *address.Decoder,
		a *Asked) {
		a.Seed = parseNumber(d, Seed, usually.Seed, mostSeed)
	}, func(a Asked) string {
		return strconv.FormatUint(a.Seed, 10)
	}),
	address.Custom(Take, func(d *address.Decoder, a *Asked) { a.readTaken(d) },
		func(a Asked) string { return formatTaken(a.Taken) }),
}

// Limits of numbers that the engine does not limit.
const (
	mostTopK = 1_000_000
	mostSeed = math.MaxUint32
)

// parseNumber parses a number from 0 to most. An empty field of a form means the usual number.
func parseNumber(d *address.Decoder, key string, usual, most uint64) uint64 {
	value, ok := d.Get(key)
	if !ok || value == "" {
		return usual
	}
	n, err := strconv.ParseUint(value, 10, 64)
	if err != nil || n > most || strconv.FormatUint(n, 10) != value {
		d.Fail(key, "continue.error.whole", "value", messages.Quote(value), "most", strconv.FormatUint(most, 10))
		return usual
	}
	return n
}

// readTemperature reads the temperature.
func (a *Asked) readTemperature(d *address.Decoder) {
	a.Temperature = usually.Temperature
	value, ok := d.Get(Temperature)
	if !ok || value == "" {
		return
	}
	t, err := strconv.ParseFloat(value, 64)
	if err != nil || !(t >= 0 && t <= predict.MostTemperature) {
		d.Fail(Temperature, "continue.error.temperature", "value", messages.Quote(value), "most", predict.MostTemperature)
		return
	}
	a.Temperature = t
}

// temperature returns the temperature as addresses have it.
func (a Asked) temperature() string { return strconv.FormatFloat(a.Temperature, 'g', -1, 64) }

// readTaken parses the tokens that are chosen and not drawn.
func (a *Asked) readTaken(d *address.Decoder) {
	value, ok := d.Get(Take)
	if !ok || value == "" {
		return
	}
	for one := range strings.SplitSeq(value, ",") {
		piece, rank, _ := strings.Cut(one, ".")
		p, ok1 := address.WholeNumber(piece)
		r, ok2 := address.WholeNumber(rank)
		if !ok1 || !ok2 || len(a.Taken) == predict.MostContinued {
			d.Fail(Take, "continue.error.take", "value", messages.Quote(value))
			a.Taken = nil
			return
		}
		a.Taken = append(a.Taken, predict.Taken{Piece: p, Rank: r})
	}
}

// formatTaken formats the tokens that are chosen and not drawn.
func formatTaken(list []predict.Taken) string {
	all := make([]string, len(list))
	for i, t := range list {
		all[i] = strconv.Itoa(t.Piece) + "." + strconv.Itoa(t.Rank)
	}
	return strings.Join(all, ",")
}

// with chooses a token, and drops the choices after it, because other words follow now.
func (a Asked) with(piece, rank int) Asked {
	var kept []predict.Taken
	for _, t := range a.Taken {
		if t.Piece < piece {
			kept = append(kept, t)
		}
	}
	kept = append(kept, predict.Taken{Piece: piece, Rank: rank})
	a.Taken = kept
	return a
}

// url returns the address of the page, or, at another path, of its numbers. It always includes the text, because
// the default text depends on the page.
func (a Asked) url(path string, s address.State) string {
	v := address.OneQuery(s, s.Mechanisms[0], askedTable.Encode(a, usually))
	v.Set(address.Text, s.Text)
	return address.At(path, v)
}

// example sets the example as the text of an address that names none.
func example(l *messages.Language, v url.Values) {
	if !v.Has(address.Text) {
		v.Set(address.Text, l.T("continue.example"))
	}
}
