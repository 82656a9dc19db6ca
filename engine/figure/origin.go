package figure

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	stdhex "encoding/hex"
	"encoding/json"
	"html"
	"io"
	"regexp"
	"strings"
	"unicode/utf16"

	"attnatlas/engine/messages"
)

// MostFileBytes is the largest file, in bytes, whose provenance is read.
const MostFileBytes = 64 << 20

// OriginOf reads the provenance from a file written by Attention Atlas: a PNG, SVG, PDF, HTML or
// JSON file, or an archive. Errors are sentences for readers.
func OriginOf(file []byte) ([]Meta, error) {
	var meta []Meta
	switch {
	case bytes.HasPrefix(file, []byte("\x89PNG\r\n\x1a\n")):
		meta = pngOrigin(file)
	case bytes.HasPrefix(file, []byte("%PDF-")):
		meta = pdfOrigin(file)
	case bytes.HasPrefix(file, []byte("PK\x03\x04")):
		meta = zipOrigin(file)
	case bytes.HasPrefix(file, []byte("{")):
		meta = jsonOrigin(file)
	case bytes.HasPrefix(file, []byte("\x93NUMPY")):
		_, after, _ := bytes.Cut(file, []byte(originMark))
		meta = entries(json.NewDecoder(bytes.NewReader(after)))
	case bytes.HasPrefix(bytes.TrimPrefix(bytes.TrimPrefix(file, []byte(utf8Mark)), []byte(`"`)), []byte(originMark)):
		meta = csvOrigin(file)
	default:
		meta = svgOrigin(file)
	}
	for _, m := range meta {
		if m.Key == "Source" && ours(m.Value) {
			return meta, nil
		}
	}
	return nil, messages.Errorf("figure.error.origin")
}

// ours reports whether a source has the form of a figure's URL. A file made elsewhere can contain
// any other source.
func ours(source string) bool {
	strange := func(r rune) bool { return r <= ' ' || r > '~' }
	return strings.HasPrefix(source, "/export/") && !strings.ContainsFunc(source, strange)
}

// pngOrigin reads the text chunks of a PNG.
func pngOrigin(file []byte) (meta []Meta) {
	for rest := file[8:]; len(rest) >= 12; {
		size := binary.BigEndian.Uint32(rest)
		if uint64(size)+12 > uint64(len(rest)) {
			return meta
		}
		key, value, ok := bytes.Cut(rest[8:8+size], []byte{0})
		switch kind := string(rest[4:8]); {
		case ok && kind == "tEXt":
			meta = append(meta, Meta{string(key), fromLatin1(value)})
		case ok && kind == "iTXt" && len(value) > 4:
			meta = append(meta, Meta{string(key), string(value[4:])})
		}
		rest = rest[12+size:]
	}
	return meta
}

func fromLatin1(b []byte) string {
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

// pdfEntry is an entry of the dictionary that infoOf writes.
var pdfEntry = regexp.MustCompile(`/([A-Za-z0-9#]+) <FEFF([0-9A-F]*)>`)

// pdfOrigin reads the dictionary with the provenance.
func pdfOrigin(file []byte) (meta []Meta) {
	start := bytes.LastIndex(file, []byte("<</Title <FEFF"))
	if start < 0 {
		return nil
	}
	end := bytes.Index(file[start:], []byte("endobj"))
	if end < 0 {
		return nil
	}
	for _, m := range pdfEntry.FindAllSubmatch(file[start:start+end], -1) {
		raw, err := stdhex.DecodeString(string(m[2]))
		if err != nil {
			return nil
		}
		units := make([]uint16, len(raw)/2)
		for i := range units {
			units[i] = binary.BigEndian.Uint16(raw[2*i:])
		}
		meta = append(meta, Meta{plainName(string(m[1])), string(utf16.Decode(units))})
	}
	return meta
}

// plainName inverts pdfName.
func plainName(name string) string {
	parts := strings.Split(name, "#")
	for i := 1; i < len(parts); i++ {
		if raw, err := stdhex.DecodeString(parts[i][:min(2, len(parts[i]))]); err == nil {
			parts[i] = string(raw) + parts[i][min(2, len(parts[i])):]
		}
	}
	return strings.Join(parts, "")
}

// svgOrigin reads the metadata of an SVG file, or of an SVG in a page.
func svgOrigin(file []byte) []Meta {
	_, after, ok := bytes.Cut(file, []byte("<metadata>"))
	inner, _, closed := bytes.Cut(after, []byte("</metadata>"))
	if !ok || !closed {
		return listOrigin(file)
	}
	return entries(json.NewDecoder(strings.NewReader(html.UnescapeString(string(inner)))))
}

// listed is an entry of the list in a self-contained page that computes.
var listed = regexp.MustCompile(`<dt>([^<]*)</dt><dd class="value">([^<]*)</dd>`)

// listOrigin reads the list of a self-contained page that computes.
func listOrigin(file []byte) (meta []Meta) {
	for _, m := range listed.FindAllSubmatch(file, -1) {
		meta = append(meta, Meta{html.UnescapeString(string(m[1])), html.UnescapeString(string(m[2]))})
	}
	return meta
}

// entries returns the members of an object of strings, in their order.
func entries(d *json.Decoder) (meta []Meta) {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		m := Meta{Key: name}
		if err != nil || !ok || d.Decode(&m.Value) != nil {
			return nil
		}
		meta = append(meta, m)
	}
	return meta
}

// jsonOrigin reads the provenance of a JSON file.
func jsonOrigin(file []byte) []Meta {
	var n struct{ Origin json.RawMessage }
	if json.Unmarshal(file, &n) != nil {
		return nil
	}
	return entries(json.NewDecoder(bytes.NewReader(n.Origin)))
}

// csvOrigin reads the first cell of a table.
func csvOrigin(file []byte) []Meta {
	cells, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(file, []byte(utf8Mark)))).Read()
	if err != nil {
		return nil
	}
	return entries(json.NewDecoder(strings.NewReader(strings.TrimPrefix(cells[0], originMark))))
}

// zipOrigin reads the provenance from the first file of an archive: from comments for LaTeX
// figures, from lines otherwise.
func zipOrigin(file []byte) (meta []Meta) {
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil || len(archive.File) == 0 {
		return nil
	}
	first, err := archive.File[0].Open()
	if err != nil {
		return nil
	}
	defer func() { _ = first.Close() }()
	text, err := io.ReadAll(io.LimitReader(first, MostFileBytes))
	if err != nil {
		return nil
	}
	if bytes.HasPrefix(text, []byte("\x93NUMPY")) {
		meta, _ = OriginOf(text)
		return meta
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		key, value, ok := strings.Cut(strings.TrimPrefix(line, "% "), ": ")
		if ok && !strings.ContainsAny(key, " /\\") {
			meta = append(meta, Meta{key, value})
		}
	}
	return meta
}
