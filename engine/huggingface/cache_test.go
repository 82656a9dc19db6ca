package huggingface_test

import (
	"os"
	"path/filepath"
	"testing"

	"attnatlas/engine/huggingface"
)

// TestCached: for every model of a cache, the snapshot of the main branch is found, or the only one
// without a main branch. Other files are ignored.
func TestCached(t *testing.T) {
	dir := t.TempDir()
	for path, content := range map[string]string{
		"models--org--name/refs/main":                "two\n",
		"models--org--name/snapshots/one/file":       "",
		"models--org--name/snapshots/two/file":       "",
		"models--plain/snapshots/only/file":          "",
		"models--outside/refs/main":                  "../../org",
		"models--empty/refs/main":                    "gone",
		"datasets--org--texts/snapshots/one/file":    "",
		"models--no-folder":                          "",
		"models--sly--x/refs/main":                   "..",
		"models--sly--x/snapshots/good/config.json":  "{}",
		"models--sly--x/snapshots/no folder of this": "",
	} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := []huggingface.Folder{
		{Name: "org/name", Dir: filepath.Join(dir, "models--org--name/snapshots/two"), Commit: "two"},
		{Name: "plain", Dir: filepath.Join(dir, "models--plain/snapshots/only"), Commit: "only"},
		{Name: "sly/x", Dir: filepath.Join(dir, "models--sly--x/snapshots/good"), Commit: "good"},
	}
	got := huggingface.Cached(dir)
	if len(got) != len(want) {
		t.Fatalf("found %v, wanted %v", got, want)
	}
	for i, w := range want {
		if got[i] != w {
			t.Errorf("found %v, wanted %v", got[i], w)
		}
	}
	if none := huggingface.Cached(filepath.Join(dir, "nowhere")); none != nil {
		t.Errorf("a cache that is not there has %v", none)
	}
}

// TestCacheDir: the library's variables determine the cache, in their order of priority.
func TestCacheDir(t *testing.T) {
	for _, name := range []string{"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", "/home/who")
	for _, step := range []struct{ name, value, want string }{
		{"", "", "/home/who/.cache/huggingface/hub"}, {"XDG_CACHE_HOME", "/caches", "/caches/huggingface/hub"},
		{"HF_HOME", "~/hf", "/home/who/hf/hub"}, {"HF_HUB_CACHE", "/hub", "/hub"},
	} {
		if step.name != "" {
			t.Setenv(step.name, step.value)
		}
		if got := huggingface.CacheDir(); filepath.ToSlash(got) != step.want {
			t.Errorf("with %s=%s: %s, wanted %s", step.name, step.value, got, step.want)
		}
	}
}
