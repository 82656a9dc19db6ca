package attention

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWalkthroughCompiles: the mechanism in the contributor's guide compiles as a file of this
// package.
func TestWalkthroughCompiles(t *testing.T) {
	guide, err := os.ReadFile("../../docs/CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(guide), "```go\npackage attention\n")
	code, _, found := strings.Cut(code, "```")
	if !found {
		t.Fatal("the guide has no file of package attention")
	}
	folder := t.TempDir()
	write := func(name string, data []byte) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	here, err := filepath.Abs("fnet.go")
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{here: write("fnet.go",
		[]byte("package attention\n"+code))}})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-overlay", write("overlay.json", overlay),
		".").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
