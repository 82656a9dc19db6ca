package wall

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"strconv"
	"sync"

	"attnatlas/engine"
	"attnatlas/engine/figure"
	"attnatlas/engine/tensor"
	"attnatlas/web/api"

	"github.com/x448/float16"
)

// attentionFile writes a response as arrays of NumPy, layer by layer, in the memory of one layer.
type attentionFile struct {
	question *AttentionQuestion
	to       io.Writer
	zip      *zip.Writer // nil: NPY
	missing  int         // layers that an NPY file lacks
	buffer   bytes.Buffer
}

// open begins a file in the format of the question. An NPY file has exactly one part.
func (q *AttentionQuestion) open(to io.Writer, of engine.Attended) (*attentionFile, error) {
	f := &attentionFile{question: q, to: to}
	if q.Format != "npy" {
		f.zip = zip.NewWriter(to)
		return f, nil
	}
	shape := q.shape(q.Parts(of)[0])
	f.missing = shape[0]
	_, err := to.Write(figure.HeadNPY(nil, f.kind(), shape[:]))
	return f, err
}

// kind returns NumPy's name for the type of weights.
func (f *attentionFile) kind() string {
	if f.question.Half {
		return "<f2"
	}
	return "<f4"
}

// Add writes a layer.
func (f *attentionFile) Add(l AttentionLayer) error {
	if f.zip == nil {
		f.missing--
		f.buffer.Reset()
		f.append(l.Weights)
		_, err := f.to.Write(f.buffer.Bytes())
		return err
	}
	prefix := ""
	if l.Attentions != "" {
		prefix = l.Attentions + "."
	}
	if l.Keys == nil {
		return f.member(fmt.Sprintf("%slayer%d", prefix, l.Layer), l.Shape, l.Weights)
	}
	keys := make([]int32, len(l.Keys))
	for i, k := range l.Keys {
		keys[i] = int32(k - 1) // NumPy indexes from 0
	}
	err := f.member(fmt.Sprintf("%skeys%d", prefix, l.Layer), l.Shape, keys)
	if err == nil {
		err = f.member(fmt.Sprintf("%sweights%d", prefix, l.Layer), l.Shape, l.Weights)
	}
	if err == nil {
		err = f.member(fmt.Sprintf("%srest%d", prefix, l.Layer), l.Shape[:2], l.Rest)
	}
	return err
}

// member writes an array. Its size stands before it, so that it can be read as soon as it has arrived.
func (f *attentionFile) member(name string, shape []int, v any) error {
	f.buffer.Reset()
	switch v := v.(type) {
	case api.Values:
		f.buffer.Write(figure.HeadNPY(f.buffer.AvailableBuffer(), f.kind(), shape))
		f.append(v)
	case []int32:
		f.buffer.Write(figure.HeadNPY(f.buffer.AvailableBuffer(), "<i4", shape))
		for _, x := range v {
			f.buffer.Write(binary.LittleEndian.AppendUint32(f.buffer.AvailableBuffer(), uint32(x)))
		}
	}
	data := f.buffer.Bytes()
	to, err := f.zip.CreateRaw(&zip.FileHeader{Name: name + ".npy", Method: zip.Store, CRC32: crc32.ChecksumIEEE(data),
		CompressedSize64: uint64(len(data)), UncompressedSize64: uint64(len(data))})
	if err == nil {
		_, err = to.Write(data)
	}
	if err == nil {
		err = f.zip.Flush()
	}
	return err
}

// append adds numbers to the buffer.
func (f *attentionFile) append(v api.Values) {
	f.buffer.Grow(4 * len(v))
	for _, x := range v {
		b := f.buffer.AvailableBuffer()
		if f.question.Half {
			b = binary.LittleEndian.AppendUint16(b, float16.Fromfloat32(float32(x)).Bits())
		} else {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
		}
		f.buffer.Write(b)
	}
}

// Close ends the file.
func (f *attentionFile) Close() error {
	if f.zip != nil {
		return f.zip.Close()
	}
	if f.missing != 0 {
		return fmt.Errorf("wall: the file lacks %d layers", f.missing)
	}
	return nil
}

// shorten replaces each number by one with as few digits as give the same float16.
func shorten(v api.Values) {
	for i, x := range v {
		if bits := float16.Fromfloat32(float32(math.Abs(float64(x)))).Bits(); int(bits) < len(shortened()) {
			v[i] = tensor.Elem(math.Copysign(float64(shortened()[bits]), float64(x)))
		}
	}
}

// shortened lists the number with the fewest digits for each float16 from 0, by its bits. Infinity and NaN have none.
var shortened = sync.OnceValue(func() []float32 {
	const infinity, digits = 0x7c00, 5 // digits suffice for every float16
	all := make([]float32, infinity)
	for bits := range all {
		exact := float64(float16.Frombits(uint16(bits)).Float32())
		for n := 1; n <= digits; n++ {
			short, _ := strconv.ParseFloat(strconv.FormatFloat(exact, 'g', n, 64), 32)
			if all[bits] = float32(short); int(float16.Fromfloat32(all[bits]).Bits()) == bits {
				break
			}
		}
	}
	return all
})
