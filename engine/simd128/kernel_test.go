package simd128

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestKernelIsItsText: kernel.wasm equals the output of wat2wasm for kernel.wat.
func TestKernelIsItsText(t *testing.T) {
	wat2wasm := filepath.Join(filepath.Dir(filepath.Dir(os.Getenv("VIZ_AXE"))), "wabt", "bin", "wat2wasm")
	if _, err := os.Stat(wat2wasm); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("wat2wasm is missing: make axe installs it")
		}
		t.Skip("NOT CHECKED: make test installs wat2wasm (with npm)")
	}
	file := filepath.Join(t.TempDir(), "kernel.wasm")
	if out, err := exec.Command("node", wat2wasm, "kernel.wat", "-o", file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if made, err := os.ReadFile(file); err != nil || !bytes.Equal(made, Kernel) {
		t.Errorf("kernel.wat makes another program than kernel.wasm (%v): run go generate ./engine/simd128", err)
	}
}

// TestKernelHasPortableBits runs engine/tensor's tests of products in Node, with the kernel.
func TestKernelHasPortableBits(t *testing.T) {
	if testing.Short() {
		t.Skip("go test -short does not compile for browsers")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("node is missing, so the kernel cannot be tested")
		}
		t.Skip("SKIPPED, NOT CHECKED: node is not installed, so the kernel was not tested")
	}
	file := filepath.Join(t.TempDir(), "kernel.wasm")
	if err := os.WriteFile(file, Kernel, 0o644); err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("testdata/exec.cjs")
	if err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "test", "-vet=off", "-count=1", "-v", "-run", "Product|Gemm", "-exec",
		strings.Join([]string{node, script, file, strings.TrimSpace(string(root))}, " "), "../tensor")
	run.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS: TestProductHasPortableBits") {
		t.Errorf("%v\n%s", err, out)
	}
}
