package cost

import (
	"net/url"
	"strings"
	"testing"

	"attnatlas/engine/costs"
	"attnatlas/web/address"
)

// TestCostAddresses: a URL contains the differences from the defaults, and is read back as written.
func TestCostAddresses(t *testing.T) {
	usual := costs.Sizes{Length: 19, Width: 128, Heads: 4}
	c := asked{Sizes: costs.Sizes{Length: 300, Width: 64, Heads: 4, Positions: 512}, Mechanism: "linformer",
		Options: map[string]string{"slots": "4"}}
	to := c.url("/cost", costTable, address.Default(), usual)
	if to != "/cost?n=300&of=linformer&option.slots=4&positions=512&width=64" {
		t.Error(to)
	}
	v, err := url.ParseQuery(strings.TrimPrefix(to, "/cost?"))
	if err != nil {
		t.Fatal(err)
	}
	back := decode(v, costTable, usual)
	if back.Sizes != c.Sizes || back.Mechanism != c.Mechanism || back.Options["slots"] != "4" {
		t.Errorf("%+v", back)
	}
}
