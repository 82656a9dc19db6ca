package train

import (
	"context"
	"fmt"
	"os"
	"testing"

	"attnatlas/engine/tokenizer"
)

func TestTrial(t *testing.T) {
	dir := os.Getenv("TRIAL_DATA")
	if dir == "" {
		t.Skip()
	}
	v := tokenizer.Default()
	c, err := Load(dir, Train, v, 64)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("tokens", c.Tokens(), c.Origins)
	m := os.Getenv("TRIAL_MECH")
	steps := 60
	fmt.Sscan(os.Getenv("TRIAL_STEPS"), &steps)
	r, err := New(Options{Model: DefaultModel(m, v), Seed: 1, Steps: steps, Recipe: DefaultRecipe(), Progress: func(p Progress) {
		if p.Step%20 == 0 || p.Step < 4 || p.Task != "words" && p.Step%100 < 20 {
			fmt.Printf("%s %d %s loss %.3f norm %.2f  %.0f tok/s\n", p.Mechanism, p.Step, p.Task, p.Loss, p.Norm, float64(p.Tokens)/p.Seconds)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Train(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	val, err := Load(dir, Valid, v, 64)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(m, Evaluate(r.Model, val))
}
