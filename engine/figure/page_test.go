package figure

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
)

// TestPagesStandAlone: a page refers to no other file, escapes texts, and has every computed value
// with the position of its cell.
func TestPagesStandAlone(t *testing.T) {
	m := named(softmaxMap(3, 1, 1), []string{"<b>", "b", "c"}, []string{`"`, "猫", "z"})
	f, err := New(Spec{Title: "</title><script>alert(1)</script>", Map: m,
		Meta: []Meta{{"Source", "/export/x.html?text=</script>"}}})
	if err != nil {
		t.Fatal(err)
	}
	var one, two bytes.Buffer
	if err := errors.Join(f.HTML(&one), f.HTML(&two)); err != nil {
		t.Fatal(err)
	}
	page := one.String()
	if page != two.String() {
		t.Error("two pages of one figure differ")
	}
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("%d scripts", n)
	}
	for _, not := range []string{"http://", "https://", " src=", "<b>"} {
		if strings.Contains(strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""), not) {
			t.Errorf("the page has %q", not)
		}
	}
	for r := range 3 {
		for c := range 3 {
			if value := strconv.FormatFloat(float64(m.Value.At(r, c)), 'g', -1, 32); !strings.Contains(page, "<td>"+
				value+"</td>") {
				t.Errorf("%s is not in the table", value)
			}
		}
	}
	if err := f.onPage(func(p *laidPage) error {
		if want := `data-box="` + strings.Join([]string{strconv.Itoa(p.corner.X), strconv.Itoa(p.corner.Y),
			strconv.Itoa(p.cell.X), strconv.Itoa(p.cell.Y)}, " ") + `"`; !strings.Contains(page, want) {
			t.Errorf("the page does not say %s", want)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// laidPage names the type page where a variable hides it.
type laidPage = page

// TestTeXHasEveryTextOnce: text that LaTeX can write is in the picture, and the rest in the PDF.
func TestTeXHasEveryTextOnce(t *testing.T) {
	f, err := New(Spec{Title: `100 % & ‖C‖ {\input x}`,
		Map: named(softmaxMap(3, 1, 1), []string{"_a", "b^", "猫"}, []string{"$", "#", "~"})})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := f.TeX(&out); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(content)
	}
	for _, want := range []string{`100 \% \& $\|$C$\|$ \{\textbackslash{}input x\}`, `{\_a}`, `{b\textasciicircum{}}`,
		`{\$}`, `{\#}`, `\makebox[0pt][r]{\_a}`} {
		if !strings.Contains(files["figure.tex"], want) {
			t.Errorf("the picture has no %s:\n%s", want, files["figure.tex"])
		}
	}
	if strings.Contains(files["figure.tex"], "猫") || !strings.HasPrefix(files["figure-cells.pdf"], "%PDF") ||
		!strings.Contains(files["figure-document.tex"], "figure.tex") {
		t.Errorf("%d files: %.60s", len(files), files["figure-cells.pdf"])
	}
}

// TestEdgesOfCellsAreNotBlended: every area of a vector figure is in a group without edge blending;
// letters are not.
func TestEdgesOfCellsAreNotBlended(t *testing.T) {
	f, err := New(Spec{Title: "T", Map: softmaxMap(5, 1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := f.SVG(&out); err != nil {
		t.Fatal(err)
	}
	crisp, areas := 0, 0
	var open []bool
	for d := xml.NewDecoder(&out); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			is := false
			for _, a := range x.Attr {
				is = is || a.Name.Local == "shape-rendering"
				if x.Name.Local == "path" && a.Name.Local == "fill" && a.Value != "none" {
					areas++
					if open[len(open)-1] {
						crisp++
					}
				}
				if x.Name.Local == "use" && open[len(open)-1] {
					t.Error("the edges of letters are not blended")
				}
			}
			open = append(open, is)
		case xml.EndElement:
			open = open[:len(open)-1]
		}
	}
	if areas < 25 || crisp != areas {
		t.Errorf("%d of %d areas", crisp, areas)
	}
}
