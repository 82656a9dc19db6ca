package attention_test

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"attnatlas/engine/attention"
	"attnatlas/engine/nn"
)

// TestParams compares Params with the actual parameters.
func TestParams(t *testing.T) {
	for _, c := range []attention.Config{small, {Width: 10, Heads: 1, Length: 6}, {Width: 6, Heads: 6, Length: 30},
		{Width: 64, Heads: 4, Length: 512}} {
		forVariants(t, c, func(t *testing.T, e attention.Entry, c attention.Config) {
			s := nn.NewScope(1)
			if _, err := e.New(s, c); err != nil {
				t.Fatal(err)
			}
			if got, want := e.Params(c), nn.Count(s.Params()); got != want {
				t.Errorf("%+v: the formula says %d parameters, there are %d", c, got, want)
			}
		})
	}
}

// TestFLOPs: the number of operations grows with the text as the entry says, or faster by a
// logarithm if its Cost has one.
func TestFLOPs(t *testing.T) {
	big := attention.Config{Width: 12, Heads: 3, Length: 1 << 18}
	forVariants(t, big, func(t *testing.T, e attention.Entry, c attention.Config) {
		once, twice := float64(e.FLOPs(c, 1<<15)), float64(e.FLOPs(c, 1<<16))
		slack := 0.05
		if strings.Contains(e.Cost, "log") {
			slack += math.Log2(16. / 15)
		}
		if growth := math.Log2(twice / once); growth < e.Growth-0.05 || growth > e.Growth+slack {
			t.Errorf("the cost grows with N^%.2f, the entry says N^%g", growth, e.Growth)
		}
	})
}

func TestOptions(t *testing.T) {
	for _, e := range attention.Catalog {
		for _, k := range e.Options {
			if k.Name == "" || !strings.HasSuffix(k.Help.String(), ".") || k.Default == "" && k.Check == nil {
				t.Errorf("%s: the option %+v lacks a name, a default or a sentence of help", e.ID, k)
			}
			if k.Allowed().String() == "" {
				t.Errorf("%s: nothing says what option %s takes", e.ID, k.Name)
			}
			if len(k.Values) > 0 && !slices.Contains(k.Values, k.Default) {
				t.Errorf("%s: the default of option %s is not among its values", e.ID, k.Name)
			}
			refused(t, e, k.Name, "no such value")
			if len(k.Values) == 0 && k.Check == nil {
				for _, v := range []string{"-1", "1.5", "99999999", "08", strconv.Itoa(k.Range.From - 1)} {
					refused(t, e, k.Name, v)
				}
			}
			tried := variants(e, small)
			for _, v := range values(k) {
				chosen := func(c attention.Config) bool {
					return c.Options[k.Name] == v || v == k.Default && c.Options[k.Name] == ""
				}
				if !slices.ContainsFunc(slices.Collect(maps.Values(tried)), chosen) {
					t.Errorf("%s: no combination has %s = %q", e.ID, k.Name, v)
				}
			}
			c := small
			c.Options = map[string]string{k.Name: k.Default}
			if _, err := e.New(nn.NewScope(1), c); err != nil {
				t.Errorf("%s: option %s does not take its default: %v", e.ID, k.Name, err)
			}
		}
		refused(t, e, "no such option", "1")
	}
}

func refused(t *testing.T, e attention.Entry, name, value string) {
	t.Helper()
	c := small
	c.Options = map[string]string{name: value}
	if _, err := e.New(nn.NewScope(1), c); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("%s with %s = %q: %v", e.ID, name, value, err)
	}
}

func TestEntriesAreComplete(t *testing.T) {
	ids := map[string]bool{}
	for _, e := range attention.Catalog {
		if ids[e.ID] {
			t.Errorf("two entries have the id %s", e.ID)
		}
		ids[e.ID] = true
		for field, v := range map[string]string{
			"ID": e.ID, "Name": e.Name.String(), "Summary": e.Summary.String(), "Formula": e.Formula, "Cost": e.Cost,
			"Family": string(e.Family), "Paper.Authors": e.Paper.Authors, "Paper.Title": e.Paper.Title,
			"Paper.ArXiv": e.Paper.ArXiv, "Paper.Equations": e.Paper.Equations,
		} {
			if v == "" {
				t.Errorf("%s: %s is empty", e.ID, field)
			}
		}
		if e.Growth < 1 || e.Growth > 2 {
			t.Errorf("%s: the paper's claim, that time grows with N^%g, is not between linear and quadratic", e.ID, e.Growth)
		}
		if e.Params == nil || e.FLOPs == nil {
			t.Errorf("%s: no count of parameters or operations", e.ID)
		}
		if len(e.Views) == 0 || e.New == nil || e.Paper.Year == 0 {
			t.Errorf("%s: views, constructor or year missing", e.ID)
		}
		for _, bad := range []attention.Config{{}, {Width: 10, Heads: 3, Length: 4}, {Width: 12, Heads: 3},
			{Width: -4, Heads: -2, Length: 4}} {
			if _, err := e.New(nn.NewScope(1), bad); err == nil {
				t.Errorf("%s accepts %+v", e.ID, bad)
			}
		}
	}
}

// TestEntriesHaveTheirFiles: the page of a mechanism shows the file in which it is written.
func TestEntriesHaveTheirFiles(t *testing.T) {
	for _, e := range attention.Catalog {
		if !strings.Contains(e.Source.Text, "newEntry(Entry{") {
			t.Errorf("%s: the program does not contain its file: call newEntry in the file of the mechanism, "+
				`and give it a name that does not end in "st.go", as names of tests do (see catalog.go)`, e.ID)
		}
	}
}
