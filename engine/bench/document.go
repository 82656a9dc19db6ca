package bench

import (
	"encoding/json"
	"io"
	"slices"

	"attnatlas/engine/messages"
)

// format is the version of the JSON schema.
const format = 1

// Document is a complete measurement. The package comment has its schema.
type Document struct {
	Format       int        `json:"format"`
	Version      string     `json:"version"`
	Commit       string     `json:"commit"`
	Date         string     `json:"date"`
	Go           string     `json:"go"`
	OS           string     `json:"os"`
	Arch         string     `json:"arch"`
	CPU          string     `json:"cpu"`
	Instructions string     `json:"instructions"`
	Processors   int        `json:"processors"`
	Rounds       int        `json:"rounds"`
	Notes        []string   `json:"notes"`
	Figures      []Quantity `json:"figures"`
}

// Quantity is one figure of a measurement.
type Quantity struct {
	Name        string   `json:"name"`
	Unit        Unit     `json:"unit"`
	Clock       Clock    `json:"clock"`
	Threads     int      `json:"threads"`
	Median      float64  `json:"median"`
	Min         float64  `json:"min"`
	Max         float64  `json:"max"`
	Wall        float64  `json:"wall"`
	Rounds      int      `json:"rounds"`
	Operations  int      `json:"operations"`
	Bytes       float64  `json:"bytes"`
	Allocations float64  `json:"allocations"`
	Share       float64  `json:"share,omitempty"`
	Claimed     float64  `json:"claimed,omitempty"`
	Before      *Earlier `json:"before,omitempty"`
}

// Earlier is the same figure in an earlier document.
type Earlier struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
	Gain   float64 `json:"gain"` // how many times better the figure is now
}

// Clock is the clock by which a figure was timed.
type Clock string

// The clocks.
const (
	CPU  Clock = "cpu"
	Wall Clock = "wall"
)

// Unit is the unit of a figure.
type Unit string

// The units.
const (
	Milliseconds Unit = "ms"
	GFLOPs       Unit = "GFLOP/s"
	TokenRate    Unit = "tokens/s"
	Exponent     Unit = "exponent"
)

// rate reports whether larger figures are better.
func (u Unit) rate() bool { return u == GFLOPs || u == TokenRate }

// of returns a figure in this unit from an amount of work and its seconds.
func (u Unit) of(work, seconds float64) float64 {
	switch u {
	case Milliseconds:
		return 1e3 * seconds
	case GFLOPs:
		return work / 1e9 / seconds
	}
	return work / seconds
}

// Read reads a document in the format of Write.
func Read(r io.Reader) (*Document, error) {
	var d Document
	if err := json.NewDecoder(r).Decode(&d); err != nil {
		return nil, &messages.Error{Msg: messages.New("bench.measurement"), Err: err}
	}
	if d.Format != format {
		return nil, messages.Errorf("bench.format", "format", d.Format, "reads", format)
	}
	return &d, nil
}

// Write writes the document as JSON.
func (d *Document) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(d)
}

// Find returns the figure with this name.
func (d *Document) Find(name string) (*Quantity, bool) {
	i := slices.IndexFunc(d.Figures, func(f Quantity) bool { return f.Name == name })
	if i < 0 {
		return nil, false
	}
	return &d.Figures[i], true
}

// Compare adds the values of an earlier document to all figures.
func (d *Document) Compare(old *Document) {
	d.Notes = append(d.Notes, messages.English.T("bench.notes.compared", "commit", old.Commit, "date", old.Date))
	if d.CPU != old.CPU || d.Instructions != old.Instructions {
		d.Notes = append(d.Notes, messages.English.T("bench.notes.machine", "processor", old.CPU, "instructions",
			old.Instructions))
	}
	for i := range d.Figures {
		f := &d.Figures[i]
		was, ok := old.Find(f.Name)
		if !ok || was.Unit != f.Unit || was.Clock != f.Clock || was.Median <= 0 {
			continue
		}
		gain := was.Median / f.Median
		if f.Unit.rate() {
			gain = 1 / gain
		}
		f.Before = &Earlier{Median: was.Median, Min: was.Min, Max: was.Max, Gain: gain}
	}
}
