package figure

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Names of the files of an archive for LaTeX.
const (
	texPicture  = "figure.tex"
	texCells    = "figure-cells.pdf"
	texDocument = "document.tex"
)

// TeX writes an archive for LaTeX: the figure as a picture environment that a document inputs, whose text is set in the
// document's fonts over a PDF of everything else; and such a document. What LaTeX's own fonts lack, such as Chinese, stays
// in the PDF.
func (f Figure) TeX(w io.Writer) error { return f.board().TeX(w) }

// TeX writes an archive for LaTeX, as Figure.TeX does.
func (b Board) TeX(w io.Writer) error {
	return b.lay(func(p *poster) error { return writeTeX(w, p.drawing(), b.about(p.look), p.t) })
}

// BareTeX writes only the cells.
func (f Figure) BareTeX(w io.Writer) error {
	d, err := f.bareDrawing()
	if err != nil {
		return err
	}
	return writeTeX(w, d, f.board().about(f.Spec), nil)
}

func writeTeX(w io.Writer, d *drawing, a about, t *typesetter) error {
	picture := texOf(d, a)
	rest := newDrawing(int(d.width), int(d.height))
	for _, s := range d.shapes {
		if x, ok := s.(textShape); ok {
			if _, ok := texText(x.text); ok {
				continue
			}
		}
		rest.add(s)
	}
	var cells bytes.Buffer
	if err := writePDF(&cells, rest, a, t); err != nil {
		return err
	}
	files := zip.NewWriter(w)
	for _, file := range []struct {
		name    string
		content []byte
	}{{texPicture, []byte(picture)}, {texCells, cells.Bytes()}, {texDocument, []byte(texDocumentOf(a))}} {
		to, err := File(files, file.name)
		if err == nil {
			_, err = to.Write(file.content)
		}
		if err != nil {
			return err
		}
	}
	return files.Close()
}

// texOf is the picture: the PDF with the texts over it, in units of PostScript points.
func texOf(d *drawing, a about) string {
	var b strings.Builder
	unit := pointsPerInch / float64(baseDPI) * a.unit
	for _, m := range a.meta {
		b.WriteString("% " + m.Key + ": " + strings.Join(strings.Fields(m.Value), " ") + "\n")
	}
	fmt.Fprintf(&b, "\\begingroup\\setlength{\\unitlength}{1bp}%%\n\\begin{picture}(%s,%s)\n", num(d.width*unit), num(d.height*unit))
	fmt.Fprintf(&b, "\\put(0,0){\\includegraphics[width=%sbp]{%s}}\n", num(d.width*unit), texCells)
	for _, s := range d.shapes {
		x, ok := s.(textShape)
		text, can := texText(x.text)
		if !ok || !can {
			continue
		}
		size := pixels(x.size) * unit
		weight, place, turn := "", "l", "%s"
		if x.bold {
			weight = "\\bfseries "
		}
		at := point{x.x, x.y}
		if x.align != 0 {
			place = map[bool]string{true: "r", false: "c"}[x.align < -0.75]
			if x.upwards {
				at.y += x.align * x.length
			} else {
				at.x -= x.align * x.length
			}
		}
		if x.upwards {
			turn = "\\rotatebox{90}{%s}"
		}
		inner := fmt.Sprintf(turn, "\\makebox[0pt]["+place+"]{"+text+"}")
		fmt.Fprintf(&b, "\\put(%s,%s){\\fontsize{%s}{%s}\\selectfont\\color[rgb]{%s}%s%s}\n",
			num(at.x*unit), num((d.height-at.y)*unit), num(size), num(size*1.2), strings.ReplaceAll(rgbOf(x.colour), " ", ","), weight, inner)
	}
	b.WriteString("\\end{picture}\\endgroup\n")
	return b.String()
}

// texDocumentOf is a document that shows the picture.
func texDocumentOf(a about) string {
	caption, ok := texText(strings.Join(strings.Fields(a.described), " "))
	if !ok {
		caption = ""
	}
	return `\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage{fix-cm}
\usepackage{graphicx,color}
\begin{document}
\begin{figure}
\centering
\resizebox{\linewidth}{!}{\input{` + texPicture + `}}
\caption{` + caption + `}
\end{figure}
\end{document}
`
}

// texSigns are characters that LaTeX writes otherwise.
var texSigns = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '$': `\$`, '&': `\&`, '#': `\#`, '%': `\%`, '_': `\_`, '^': `\textasciicircum{}`, '~': `\textasciitilde{}`,
	'<': `$<$`, '>': `$>$`, '|': `$|$`, '"': "''", '“': "``", '”': "''", '‘': "`", '’': "'", '…': `\ldots{}`, '–': "--", '—': "---", '−': `$-$`,
	'·': `$\cdot$`, '×': `$\times$`, '÷': `$\div$`, '→': `$\rightarrow$`, '↓': `$\downarrow$`, '≥': `$\ge$`, '≤': `$\le$`, '‖': `$\|$`, '∂': `$\partial$`,
	'Σ': `$\Sigma$`, 'α': `$\alpha$`, 'β': `$\beta$`, 'γ': `$\gamma$`, 'φ': `$\varphi$`, '⁻': `$^{-}$`, 'ᵀ': `$^{T}$`, '⁰': `$^{0}$`, '¹': `$^{1}$`, '²': `$^{2}$`, '³': `$^{3}$`,
	'⁴': `$^{4}$`, '⁵': `$^{5}$`, '⁶': `$^{6}$`, '⁷': `$^{7}$`, '⁸': `$^{8}$`, '⁹': `$^{9}$`, '␣': `\textvisiblespace{}`, '\u00a0': "~", '[': "{[}", ']': "{]}",
}

// texAccented are the characters beyond ASCII that LaTeX's first fonts have.
const texAccented = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŒœŠšŽžČčŘřŁł"

// texText is a text as LaTeX has it; not ok: its fonts lack some of it.
func texText(text string) (tex string, ok bool) {
	var b strings.Builder
	for _, r := range text {
		sign, known := texSigns[r]
		switch {
		case known:
			b.WriteString(sign)
		case r >= ' ' && r < 0x7f, strings.ContainsRune(texAccented, r):
			b.WriteRune(r)
		default:
			return "", false
		}
	}
	return b.String(), true
}
