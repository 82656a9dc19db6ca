package recording

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"io"
	"slices"

	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
)

// Extension is the extension of a recording's file: gzip of
//
//	the length of the header as 4 bytes, little-endian
//	the header, JSON
//	the low bytes of all levels, then the high bytes
//
// Levels are in the order of the header's frames. Each is stored as the difference, modulo 2¹⁶,
// from the level of the same cell in the frame before. If that frame has no map of the same form,
// the level itself is stored.
const Extension = ".recording"

type header struct {
	ID     string          `json:"id"`
	Total  int             `json:"total"`
	Steps  []int           `json:"steps"`
	Loss   []float64       `json:"loss"`
	Texts  []string        `json:"texts"`
	Tasks  []Task          `json:"tasks,omitempty"`
	Forms  []*form         `json:"forms"`
	Frames [][]frameHeader `json:"frames"`
}

type frameHeader struct {
	Layers  []layerHeader `json:"layers"`
	Whole   []int         `json:"whole,omitempty"` // forms
	Parts   []partHeader  `json:"parts,omitempty"`
	Written []string      `json:"written,omitempty"`
}

type layerHeader struct {
	Number      int    `json:"number"`
	Name        string `json:"name"`
	Maps        []int  `json:"maps"` // forms
	Distinctive int    `json:"sharpest,omitempty"`
}

type partHeader struct {
	Name   string        `json:"name"`
	Layers []layerHeader `json:"layers"`
}

// shots returns all shots of a frame, in the order of the file.
func (f *frame) shots() []*shot {
	layers := f.layers
	for _, p := range f.parts {
		layers = slices.Concat(layers, p.layers) // its shots are shared
	}
	var all []*shot
	for _, l := range layers {
		for m := range l.maps {
			all = append(all, &l.maps[m])
		}
	}
	for m := range f.whole {
		all = append(all, &f.whole[m])
	}
	return all
}

// before returns the same shot in the frame before, if it has the same form.
func (r *Recording) before(at, text, i int, s *shot) *shot {
	if at == 0 {
		return nil
	}
	if last := r.frames[at-1][text].shots(); i < len(last) && last[i].form == s.form {
		return last[i]
	}
	return nil
}

// each visits the levels of all shots in the order of the file, with their predecessors.
func (r *Recording) each(visit func(now, last []uint16)) {
	for at := range r.frames {
		for text := range r.frames[at] {
			for i, s := range r.frames[at][text].shots() {
				if last := r.before(at, text, i, s); last != nil {
					visit(s.levels, last.levels)
				} else {
					visit(s.levels, make([]uint16, len(s.levels)))
				}
			}
		}
	}
}

// write writes the file of a recording.
func (r *Recording) write(w io.Writer) error {
	h := header{ID: r.ID, Total: r.Total, Steps: r.Steps, Loss: r.Loss, Texts: r.Texts, Tasks: r.Tasks, Forms: r.forms}
	for _, texts := range r.frames {
		var row []frameHeader
		for _, f := range texts {
			row = append(row, f.header())
		}
		h.Frames = append(h.Frames, row)
	}
	head, err := json.Marshal(h)
	if err != nil {
		return err
	}
	var low, high []byte
	r.each(func(now, last []uint16) {
		for i, level := range now {
			d := level - last[i]
			low, high = append(low, byte(d)), append(high, byte(d>>8))
		}
	})
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, part := range [][]byte{binary.LittleEndian.AppendUint32(nil, uint32(len(head))), head, low, high} {
		if _, err := z.Write(part); err != nil {
			return err
		}
	}
	return z.Close()
}

func (f *frame) header() frameHeader {
	formsOf := func(shots []shot) (list []int) {
		for _, s := range shots {
			list = append(list, s.form)
		}
		return list
	}
	layersOf := func(layers []layer) (list []layerHeader) {
		for _, l := range layers {
			list = append(list, layerHeader{l.number, l.name, formsOf(l.maps), l.distinctive})
		}
		return list
	}
	h := frameHeader{Layers: layersOf(f.layers), Whole: formsOf(f.whole), Written: f.written}
	for _, p := range f.parts {
		h.Parts = append(h.Parts, partHeader{p.name, layersOf(p.layers)})
	}
	return h
}

// mostBytes is the largest unpacked size of a file.
const mostBytes = 64 << 20

// Parse reads the file of a recording.
func Parse(data []byte) (*Recording, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, damaged(err)
	}
	plain, err := io.ReadAll(io.LimitReader(z, mostBytes))
	if err != nil {
		return nil, damaged(err)
	}
	return read(plain)
}

// read reads an unpacked file.
func read(plain []byte) (*Recording, error) {
	if len(plain) < 4 {
		return nil, damaged(io.ErrUnexpectedEOF)
	}
	long, rest := binary.LittleEndian.Uint32(plain), plain[4:]
	if uint64(long) > uint64(len(rest)) {
		return nil, damaged(io.ErrUnexpectedEOF)
	}
	size := int(long)
	var h header
	if err := json.Unmarshal(rest[:size], &h); err != nil {
		return nil, damaged(err)
	}
	if err := h.check(len(rest) - size); err != nil {
		return nil, damaged(err)
	}
	r := &Recording{ID: h.ID, Total: h.Total, Steps: h.Steps, Loss: h.Loss, Texts: h.Texts, Tasks: h.Tasks, forms: h.Forms}
	for _, texts := range h.Frames {
		var row []frame
		for _, f := range texts {
			row = append(row, f.frame(h.Forms))
		}
		r.frames = append(r.frames, row)
	}
	r.fill(rest[size:])
	return r, nil
}

// fill reads the levels.
func (r *Recording) fill(bytes []byte) {
	low, high := bytes[:len(bytes)/2], bytes[len(bytes)/2:]
	r.each(func(now, last []uint16) {
		for i := range now {
			now[i] = last[i] + uint16(low[i]) + uint16(high[i])<<8
		}
		low, high = low[len(now):], high[len(now):]
	})
}

func (h frameHeader) frame(forms []*form) frame {
	shots := func(list []int) (all []shot) {
		for _, i := range list {
			all = append(all, shot{form: i, levels: make([]uint16, tensor.Size(forms[i].Shape...))})
		}
		return all
	}
	layers := func(list []layerHeader) (all []layer) {
		for _, l := range list {
			all = append(all, layer{l.Number, l.Name, shots(l.Maps), l.Distinctive})
		}
		return all
	}
	f := frame{layers: layers(h.Layers), whole: shots(h.Whole), written: h.Written}
	for _, p := range h.Parts {
		f.parts = append(f.parts, part{p.Name, layers(p.Layers)})
	}
	return f
}

// errInconsistent is the error for a header whose parts do not match.
var errInconsistent = messages.Errorf("recording.inconsistent")

// check rejects a header that does not match the number of bytes after it.
func (h header) check(bytes int) error {
	if len(h.Steps) == 0 || len(h.Steps) != len(h.Frames) || len(h.Steps) != len(h.Loss) || !slices.IsSorted(h.Steps) ||
		!h.fits() {
		return errInconsistent
	}
	for _, f := range h.Forms {
		if size := sizeOf(f.Shape); size == 0 || len(f.Axes) != len(f.Shape) || size > bytes {
			return errInconsistent
		}
	}
	cells := 0
	for _, texts := range h.Frames {
		if len(texts) != len(h.Texts)*max(1, len(h.Tasks)) {
			return errInconsistent
		}
		for _, f := range texts {
			if len(h.Tasks) > 0 && (len(f.Written) == 0 || len(f.Parts) == 0) {
				return errInconsistent
			}
			for _, i := range f.forms() {
				if i < 0 || i >= len(h.Forms) {
					return errInconsistent
				}
				if cells += sizeOf(h.Forms[i].Shape); cells > bytes {
					return io.ErrUnexpectedEOF
				}
			}
		}
	}
	if 2*cells != bytes {
		return errInconsistent
	}
	return nil
}

// forms returns the forms of all shots in a frame.
func (h frameHeader) forms() []int {
	layers, all := h.Layers, slices.Clone(h.Whole)
	for _, p := range h.Parts {
		layers = slices.Concat(layers, p.Layers)
	}
	for _, l := range layers {
		all = append(all, l.Maps...)
	}
	return all
}

// sizeOf returns the number of cells of a shape, or 0 if the shape is invalid or too large.
func sizeOf(shape []int) int {
	n := 1
	for _, d := range shape {
		if d < 1 || d > mostBytes/n {
			return 0
		}
		n *= d
	}
	return n
}

func damaged(cause error) error {
	return messages.Errorf("recording.format", "cause", messages.Of(cause))
}
