package simd128

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAssemble: a small module has the bytes that the specification gives it.
func TestAssemble(t *testing.T) {
	const module = `(module ;; a comment
		(import "go" "mem" (memory 1))
		(func (export "f") (param $a i32) (local $v v128)
			(loop $again
				(local.set $v (f32x4.mul (v128.load offset=16 (local.get $a)) (v128.load32_splat (local.get $a))))
				(local.set $a (i32.add (local.get $a) (i32.const -300)))
				(br_if $again (local.get $a)))))`
	want := slices.Concat(
		[]byte("\x00asm\x01\x00\x00\x00"),
		[]byte{1, 5, 1, 0x60, 1, 0x7F, 0},                       // a type: i32 → nothing
		[]byte("\x02\x0B\x01\x02go\x03mem\x02\x00\x01"),         // the memory
		[]byte{3, 2, 1, 0}, []byte("\x07\x05\x01\x01f\x00\x00"), // a function of that type, called f
		[]byte{10, 38, 1, 36, 1, 1, 0x7B, 0x03, 0x40, 0x20, 0},        // its code: a local variable, loop, local.get 0
		[]byte{0xFD, 0, 2, 16, 0x20, 0, 0xFD, 9, 2, 0, 0xFD, 0xE6, 1}, // v128.load, v128.load32_splat, f32x4.mul
		[]byte{0x21, 1, 0x20, 0, 0x41, 0xD4, 0x7D, 0x6A, 0x21, 0},     // local.set 1, local.get 0, i32.const −300, i32.add, local.set 0
		[]byte{0x20, 0, 0x0D, 0, 0x0B, 0x0B},                          // br_if 0, and both ends
	)
	got, err := assemble(module)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v\n%x instead of\n%x", err, got, want)
	}
}

// TestUnknownText: what the assembler does not know is an error, and no wrong program.
func TestUnknownText(t *testing.T) {
	for _, wrong := range []string{
		"", "(module", "(module))", "(function)", "(module (table 1))",
		`(module (func (export "f") (f32x4.relaxed_madd)))`, `(module (func (export "f") (local.get $x)))`,
		`(module (func (export "f") (br $out)))`, `(module (func (export "f") (param $x i64)))`,
	} {
		if code, err := assemble(wrong); err == nil {
			t.Errorf("%s becomes %x", wrong, code)
		}
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
	kernel, err := Kernel()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "kernel.wasm")
	if err := os.WriteFile(file, kernel, 0o644); err != nil {
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
	run := exec.Command("go", "test", "-vet=off", "-count=1", "-v", "-run", "Product|Gemm", "-exec", strings.Join([]string{node, script, file, strings.TrimSpace(string(root))}, " "), "../tensor")
	run.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS: TestProductHasPortableBits") {
		t.Errorf("%v\n%s", err, out)
	}
}
