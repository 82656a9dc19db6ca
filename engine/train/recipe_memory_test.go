package train

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/encoder"
	"attnatlas/engine/tokenizer"
)

// mostPlanned is the largest memory in bytes that a recipe can use before its training begins.
const mostPlanned = 100 << 20

// greedyRecipes returns recipes that request as much as possible: large sizes of every mechanism
// and stack, and lists as long as a file.
func greedyRecipes() (all []string) {
	const head = "steps = 10\nlength = %d\n[adamw]\nrate = 0.1\n[[phase]]\nfrom = 0.0\nlengths = [8]\n"
	ids := []string{}
	for _, e := range attention.Catalog {
		ids = append(ids, e.ID)
	}
	for _, s := range encoder.Stacks {
		ids = append(ids, s.ID)
	}
	for _, id := range ids {
		for _, size := range []struct{ length, layers, width, heads int }{{512, 2, 4096, 4}, {512, 12, 2048, 8},
			{65536, 2, 1000, 4}, {1 << 20, 1, 64, 1}, {128, 1000, 128, 4}, {9, 1, 1 << 30, 1}} {
			all = append(all, fmt.Sprintf(head+"[[model]]\nid = %q\nlayers = %d\nwidth = %d\nheads = %d\nseeds = [1, 2, 3]\n",
				size.length, id, size.layers, size.width, size.heads))
		}
	}
	small := fmt.Sprintf(head, 8)
	fill := func(text string) string { return strings.Repeat(text, MostRecipeBytes/len(text)) }
	return append(all,
		small+"[[model]]\nid = \"dense\"\nseeds = ["+fill("1,")[:MostRecipeBytes-500]+"]\n",
		small+fill("[[model]]\nid=\"a\"\n"),
		strings.Replace(small, "[8]", "["+fill("8,")[:MostRecipeBytes-500]+"]", 1)+"[[model]]\nid = \"dense\"\n",
		"rates = ["+fill("1,")[:MostRecipeBytes-500]+"]\ntrial = 1\n"+small+"[[model]]\nid = \"dense\"\n",
		fill("[[phase]]\n"), fill("a={a="), fill("a."), fill("[[a]]\n"))
}

// TestRecipesArePlannedInLittleMemory: reading a recipe and planning its training runs needs little
// memory, whatever it requests and whether or not it is rejected.
func TestRecipesArePlannedInLittleMemory(t *testing.T) {
	Shipped()
	for _, text := range greedyRecipes() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r, err := ParseRecipe([]byte(text))
		jobs := []Job{}
		if err == nil {
			jobs, err = r.Jobs(nil, tokenizer.Default().Size(), "state")
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > mostPlanned {
			t.Errorf("%d MB are allocated for %d trainings (%v): %.300s", took>>20, len(jobs), err, text)
		}
	}
}
