package browsertest

import (
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
)

// Poppler runs a program of the Poppler tools, an independent reader of PDF files.
func Poppler(t *testing.T, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil && os.Getenv("CI") == "" {
		t.Skipf("NOT CHECKED: %s is not installed (Debian: Poppler-utils)", name)
	}
	Must(t, err)
	out, err := exec.Command(path, args...).CombinedOutput()
	if err != nil || strings.Contains(string(out), "Error") {
		t.Fatalf("%s %v: %v %s", name, args, err, out)
	}
	return string(out)
}

// WallAddress returns the address of a wall with the first mechanisms, or with all models. Each round has a text
// of its own, which no cache holds.
func WallAddress(cards, tokens, round int) string {
	ids := slices.Clone(engine.Default[:])
	if cards > len(ids) {
		ids = OwnModels()
	}
	text := Words(rand.New(rand.NewPCG(1, uint64(round))), tokens-3) + " w" // in addition to [CLS] and [SEP]
	return "/?theme=light&m=" + strings.Join(ids, ",") + "&text=" + url.QueryEscape(text)
}

var plainWords = strings.Fields("the a cat dog man woman house tree red big small old ran sat saw gave took went home work day night and but because while it she he they into over under")

// Words returns n random words of a small vocabulary.
func Words(random *rand.Rand, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = plainWords[random.IntN(len(plainWords))]
	}
	return strings.Join(list, " ")
}
