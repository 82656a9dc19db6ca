package figure

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"attnatlas/engine/figure/lettering"
)

// texNames are the file names in an archive for LaTeX. Each figure of a paper has its own.
type texNames struct{ picture, cells, words, document string }

func (a about) texNames() texNames {
	name := cmp.Or(a.name, "figure")
	return texNames{name + ".tex", name + "-cells.pdf", name + "-words.pdf", name + "-document.tex"}
}

// TeX writes an archive for LaTeX with the figure and a sample document. The figure is a picture
// environment: the document's fonts set its text over a PDF of everything else. Characters that
// LaTeX's fonts lack, such as Chinese, stay in the PDF.
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

func writeTeX(w io.Writer, d *drawing, a about, t *lettering.Typesetter) error {
	picture := texOf(d, a)
	rest := newDrawing(int(d.width), int(d.height))
	for _, s := range d.shapes {
		if x, ok := s.(textShape); ok {
			if _, ok := texText(x.Text); ok {
				continue
			}
		}
		rest.add(s)
	}
	var cells bytes.Buffer
	if err := writePDF(&cells, rest, a, t); err != nil {
		return err
	}
	names := a.texNames()
	document, words, err := texDocumentOf(a)
	if err != nil {
		return err
	}
	files := zip.NewWriter(w)
	for _, file := range []struct {
		name    string
		content []byte
	}{{names.picture, []byte(picture)}, {names.cells, cells.Bytes()}, {names.words, words},
		{names.document, []byte(document)}} {
		if file.content == nil {
			continue
		}
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

// texOf returns the picture: the PDF with the texts over it, in units of PostScript points.
func texOf(d *drawing, a about) string {
	var b strings.Builder
	unit := pointsPerInch / float64(baseDPI) * a.unit
	for _, m := range a.meta {
		b.WriteString("% " + m.Key + ": " + strings.Join(strings.Fields(m.Value), " ") + "\n")
	}
	fmt.Fprintf(&b, "\\begingroup\\setlength{\\unitlength}{1bp}%%\n\\begin{picture}(%s,%s)\n", num(d.width*unit),
		num(d.height*unit))
	fmt.Fprintf(&b, "\\put(0,0){%s}\n", texBeside("width="+num(d.width*unit)+"bp", a.texNames().cells))
	for _, s := range d.shapes {
		x, ok := s.(textShape)
		text, can := texText(x.Text)
		if !ok || !can {
			continue
		}
		size := lettering.Pixels(x.Size) * unit
		weight, place, turn := "", "l", "%s"
		if x.Bold {
			weight = "\\bfseries "
		}
		at := point{x.X, x.Y}
		if x.Align != 0 {
			place = map[bool]string{true: "r", false: "c"}[x.Align < -0.75]
			if x.Upwards {
				at.y += x.Align * x.length
			} else {
				at.x -= x.Align * x.length
			}
		}
		if x.Upwards {
			turn = "\\rotatebox{90}{%s}"
		}
		inner := fmt.Sprintf(turn, "\\makebox[0pt]["+place+"]{"+text+"}")
		fmt.Fprintf(&b, "\\put(%s,%s){\\fontsize{%s}{%s}\\selectfont\\color[rgb]{%s}%s%s}\n",
			num(at.x*unit), num((d.height-at.y)*unit), num(size), num(size*1.2), strings.ReplaceAll(rgbOf(x.Colour), " ", ","),
			weight, inner)
	}
	b.WriteString("\\end{picture}\\endgroup\n")
	return b.String()
}

// texBeside returns the command that includes a file from the folder of the picture. It also works if the main document
// is in another folder.
func texBeside(options, file string) string {
	return fmt.Sprintf(`\ifdefined\CurrentFilePath\IfFileExists{\CurrentFilePath/%[2]s}`+
		`{\includegraphics[%[1]s]{\CurrentFilePath/%[2]s}}{\includegraphics[%[1]s]{%[2]s}}`+
		`\else\includegraphics[%[1]s]{%[2]s}\fi`, options, file)
}

// texDocumentOf returns a document that shows the picture, and a PDF of the words in its caption
// that LaTeX's fonts lack. The PDF is nil if the fonts have all characters.
func texDocumentOf(a about) (document string, words []byte, err error) {
	caption, words, err := texCaption(a)
	return `\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage{fix-cm}
\usepackage{graphicx,color}
\begin{document}
\begin{figure}
\centering
\resizebox{\linewidth}{!}{\input{` + a.texNames().picture + `}}
\caption[]{` + caption + `}
\end{figure}
\end{document}
`, words, err
}

// texCaption returns the description in LaTeX notation. Characters that LaTeX's fonts lack are
// parts of a PDF, in which they are side by side.
func texCaption(a about) (caption string, words []byte, err error) {
	const size, unit = 40, 0.75 // size of letters, in pixels; points per pixel
	t := lettering.Borrow()
	defer t.Repay()
	up, down := handler{t}.vertical(size)
	strip, at, out := newDrawing(0, int(math.Ceil(up+down))), 0.0, strings.Builder{}
	for _, sign := range texPieces(strings.Join(strings.Fields(a.described), " ")) {
		if text, ok := texText(sign); ok {
			out.WriteString(text)
			continue
		}
		key := lettering.Line{Text: sign, Size: size << 6}
		wide := t.Set(key).Advance
		strip.write(t, lettering.Inscription{Line: key, X: at, Y: up, Colour: rgb(0, 0, 0)})
		fmt.Fprintf(&out, "\\raisebox{-%sem}{\\includegraphics[viewport=%s 0 %s %s,clip,height=%sem]{%s}}\\hspace{0pt}",
			num(down/size), num(at*unit), num((at+wide)*unit), num(strip.height*unit), num(strip.height/size),
			a.texNames().words)
		at += math.Ceil(wide)
	}
	if len(strip.shapes) == 0 {
		return out.String(), nil, nil
	}
	strip.width = at
	var file bytes.Buffer
	err = writePDF(&file, strip, about{title: a.title, described: a.described, language: a.language, unit: 1}, t)
	return out.String(), file.Bytes(), err
}

// texPieces splits a text into parts that LaTeX's fonts have, and words and characters that they
// lack. Lines can break between the latter.
func texPieces(text string) (pieces []string) {
	joined := false // the last piece is a word to which a character can be added
	for _, g := range graphemes(text) {
		_, ok := texText(g)
		joins := !ok && !upright([]rune(g)[0])
		if n := len(pieces); joins && joined {
			pieces[n-1] += g
		} else {
			pieces = append(pieces, g)
		}
		joined = joins
	}
	return pieces
}

// texSigns are the characters that LaTeX writes in another way.
var texSigns = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '$': `\$`, '&': `\&`, '#': `\#`, '%': `\%`, '_': `\_`,
	'^': `\textasciicircum{}`, '~': `\textasciitilde{}`,
	'<': `$<$`, '>': `$>$`, '|': `$|$`, '"': "''", '“': "``", '”': "''", '‘': "`", '’': "'", '…': `\ldots{}`, '–': "--",
	'—': "---", '−': `$-$`,
	'·': `$\cdot$`, '×': `$\times$`, '÷': `$\div$`, '→': `$\rightarrow$`, '↓': `$\downarrow$`, '≥': `$\ge$`, '≤': `$\le$`,
	'‖': `$\|$`, '∂': `$\partial$`,
	'Σ': `$\Sigma$`, 'α': `$\alpha$`, 'β': `$\beta$`, 'γ': `$\gamma$`, 'φ': `$\varphi$`, '⁻': `$^{-}$`, 'ᵀ': `$^{T}$`,
	'⁰': `$^{0}$`, '¹': `$^{1}$`, '²': `$^{2}$`, '³': `$^{3}$`,
	'⁴': `$^{4}$`, '⁵': `$^{5}$`, '⁶': `$^{6}$`, '⁷': `$^{7}$`, '⁸': `$^{8}$`, '⁹': `$^{9}$`, '␣': `\textvisiblespace{}`,
	'\u00a0': "~", '[': "{[}", ']': "{]}",
}

// texAccented are the characters beyond ASCII in LaTeX's default fonts.
const texAccented = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŒœŠšŽžČčŘřŁł"

// texText returns a text in LaTeX notation. ok is false if LaTeX's fonts lack some of it.
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
