package publish

import (
	"embed"
	"os"
	"path"
	"path/filepath"
	"strings"

	"attnatlas/engine/typeface"
)

// Two modules that the library of figures begins with are nothing that ours are drawn with: twelve fonts and a typesetter of
// formulas with four more, a quarter of the program. When it is compiled for browsers, others are in their place (the
// directive replace of a go.mod): a small font, and a typesetter that refuses. That figures are the same is tested.
const (
	fontsModule = "codeberg.org/go-fonts/liberation"
	latexModule = "codeberg.org/go-latex/latex"
	smallFont   = "noto-sans-thai.ttf"
)

//go:embed instead
var instead embed.FS

// replaced writes the modules and a go.mod that names them into a folder; its path.
func replaced(source, folder string) (string, error) {
	files := map[string]string{
		"fonts/go.mod":          "module " + fontsModule + "\n\ngo 1.23\n",
		"fonts/one/font.ttf":    string(typeface.File(smallFont)),
		"fonts/one/font.go":     part("font"),
		"latex/go.mod":          "module " + latexModule + "\n\ngo 1.23\n",
		"latex/drawtex/d.go":    part("drawtex"),
		"latex/font/ttf/ttf.go": part("ttf"),
		"latex/tex/tex.go":      part("tex"),
		"latex/mtex/mtex.go":    part("mtex"),
	}
	for _, family := range []string{"mono", "sans", "serif"} {
		for _, style := range []string{"regular", "bold", "italic", "bolditalic"} {
			name := "liberation" + family + style
			files["fonts/"+name+"/data.go"] = strings.Replace(part("data"), "NAME", name, 1)
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return "", err
		}
		files[name] = string(data)
	}
	files["go.mod"] += "\nreplace (\n\t" + fontsModule + " => " + filepath.Join(folder, "fonts") + "\n\t" + latexModule + " => " + filepath.Join(folder, "latex") + "\n)\n"
	for name, text := range files {
		if err := put(filepath.Join(folder, filepath.FromSlash(name)), []byte(text)); err != nil {
			return "", err
		}
	}
	return filepath.Join(folder, "go.mod"), nil
}

// kept is a folder of the user's, of the same name every time: programs say from where their modules were, and so are the
// same every time. Where there is none it is in another one.
func kept(other string) string {
	cache, err := os.UserCacheDir()
	if err != nil || os.MkdirAll(cache, 0o700) != nil {
		return filepath.Join(other, "modules")
	}
	return filepath.Join(cache, "attention-atlas")
}

// part is a file of what stands in the place of modules.
func part(name string) string {
	data, err := instead.ReadFile(path.Join("instead", name+".go.txt"))
	if err != nil {
		panic("publish: " + err.Error()) // the name is right
	}
	return string(data)
}
