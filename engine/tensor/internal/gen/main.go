// Command gen writes the amd64 assembly of package tensor and the corresponding Go declarations. It
// is a separate module, so that the product does not depend on the assembler generator.
//
//	go run . -dir ../..
package main

import (
	"flag"
	"fmt"
	"go/format"
	"log"
	"os"
	"path/filepath"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// constraint selects the builds that use assembly.
const constraint = "amd64,!purego,!f64"

// file is one generated assembly file.
type file struct {
	name string
	emit func(*build.Context)
}

var files = []file{
	{"gemm_avx512_amd64.s", func(c *build.Context) { emitTiles(c, avx512) }},
	{"gemm_avx2_amd64.s", func(c *build.Context) { emitTiles(c, avx2) }},
	{"pack_amd64.s", emitPacks},
	{"elementwise_amd64.s", emitElementwise},
	{"softmax_amd64.s", emitSoftmax},
	{"attend_amd64.s", emitAttend},
	{"relu_amd64.s", emitReLU},
	{"gelu_amd64.s", emitGELU},
	{"sigmoid_amd64.s", emitSigmoids},
	{"gates_amd64.s", emitGates},
	{"layernorm_amd64.s", emitLayerNorm},
	{"adamw_amd64.s", emitAdamW},
	{"peak_amd64.s", emitPeaks},
}

func main() {
	log.SetFlags(0)
	dir := flag.String("dir", "../..", "folder of package tensor")
	flag.Parse()
	if err := generate(*dir); err != nil {
		log.Fatal(err)
	}
}

// generate writes all files into the folder.
func generate(dir string) error {
	for _, f := range files {
		text, err := assemble(f.emit)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if err := os.WriteFile(filepath.Join(dir, f.name), text, 0o644); err != nil {
			return err
		}
	}
	tables, err := format.Source(tileTables())
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "gemm_tiles_amd64.go"), tables, 0o644)
}

func assemble(emit func(*build.Context)) ([]byte, error) {
	c := build.NewContext()
	c.ConstraintExpr(constraint)
	emit(c)
	f, err := c.Result()
	if err != nil {
		return nil, err
	}
	if err := pass.Compile.Execute(f); err != nil {
		return nil, err
	}
	return printer.NewGoAsm(printer.Config{Name: "internal/gen", Pkg: "tensor"}).Print(f)
}
