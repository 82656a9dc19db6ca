package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/costs"
)

// costed returns the output of viz cost.
func costed(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs strings.Builder
	if status := run(context.Background(), append([]string{"cost"}, args...), &out, &errs); status != 0 {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	return out.String()
}

func TestCostsAreTold(t *testing.T) {
	var r costs.Report
	if err := json.Unmarshal([]byte(costed(t, "--longest", "16", "--length", "16", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Points) != len(attention.Catalog) || len(r.Mechanisms) != len(attention.Catalog) || r.Roof == nil ||
		len(r.Claims) != len(costs.Claims) || r.Measured.Done != len(r.Points) {
		t.Errorf("%d points, %d mechanisms, %d claims, %+v", len(r.Points), len(r.Mechanisms), len(r.Claims), r.Measured)
	}
	for _, row := range r.Mechanisms {
		if row.At == nil || row.At.Seconds <= 0 || row.At.Bytes <= 0 {
			t.Errorf("%s: %+v", row.ID, row.At)
		}
	}
	table := costed(t, "--counted", "--length", "300")
	for _, want := range []string{"dot-product", "85401600", "1073538", "never", "16640"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %s in\n%s", want, table)
		}
	}
}

func TestCostsOfImpossibleSizes(t *testing.T) {
	for _, args := range [][]string{{"--width", "30"}, {"--length", "0"}, {"--length", "70000"}, {"--heads", "0"}} {
		var out, errs strings.Builder
		if status := run(context.Background(), append([]string{"cost", "--counted"}, args...), &out,
			&errs); status != failed || !strings.Contains(errs.String(), "must be") {
			t.Errorf("%v: status %d: %s", args, status, errs.String())
		}
	}
}
