package long_test

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"attnatlas/web/api"
)

// table returns the labels and the numbers of a figure as CSV.
func table(t *testing.T, query string) (columns, rows []string, values [][]float64) {
	t.Helper()
	status, body := get(t, "/export/long.csv", query)
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(body, "\ufeff"))).ReadAll()
	if status != 200 || err != nil {
		t.Fatalf("%d %v %.300s", status, err, body)
	}
	for _, line := range lines[1:] {
		rows, values = append(rows, line[0]), append(values, nil)
		for _, cell := range line[1:] {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				v = math.NaN() // hidden by the mask
			}
			values[len(values)-1] = append(values[len(values)-1], v)
		}
	}
	return lines[0][1:], rows, values
}

// TestFigure: a figure has the cells of the ordinary map in its window, with their tokens. Cells that the mask hides are
// empty. The text need not have been read before.
func TestFigure(t *testing.T) {
	own := "A window of a text. " + text
	var attend api.Attend
	if _, body := get(t, "/api/v1/attend", "m=gpt2&map=weights&text="+url.QueryEscape(own)); json.Unmarshal([]byte(body),
		&attend) != nil {
		t.Fatalf("%.300s", body)
	}
	n, m := len(attend.Tokens), attend.Mechanisms[0].Layers[1].Maps[0]
	asked := "m=gpt2&layer=2&head=3&rows=101-110&cols=95-105&text=" + url.QueryEscape(own)
	columns, rows, values := table(t, asked)
	if len(values) != 10 || len(columns) != 11 || rows[0] != attend.Tokens[100].Text ||
		columns[10] != attend.Tokens[104].Text {
		t.Fatalf("%d × %d cells, rows %v, columns %v", len(values), len(columns), rows, columns)
	}
	for i, row := range values {
		for j, v := range row {
			query, key := 100+i, 94+j
			if key > query != math.IsNaN(v) {
				t.Errorf("cell %d.%d is %v", query+1, key+1, v)
			}
			if want := float64(m.Values[(2*n+query)*n+key]); key <= query && math.Abs(v-want) > 1e-5 {
				t.Errorf("cell %d.%d is %v, wanted %v", query+1, key+1, v, want)
			}
		}
	}
	status, svg := get(t, "/export/long.svg", asked)
	for _, want := range []string{"GPT-2 · A", "rows 101–110 and columns 95–105 of", "viz render --address", "sha256:"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the SVG says nothing of %q: %d", want, status)
		}
	}
}

// TestPooledFigure: in a window with too many tokens, each cell is the largest of several, and rows and columns have the
// numbers of their first tokens.
func TestPooledFigure(t *testing.T) {
	query := "m=longformer&layer=1&head=2&text=" + url.QueryEscape(strings.Repeat(text, 4))
	columns, rows, pooled := table(t, query+"&rows=20-570")
	_, _, exact := table(t, query+"&rows=21-24&cols=19-22")
	if len(rows) > 512 || len(rows) < 256 || rows[0] != "19" || rows[1] != "21" || columns[1] != "3" {
		t.Fatalf("%d rows from %v, columns %v", len(rows), rows[:2], columns[:2])
	}
	for i := range 2 {
		for j := range 2 {
			want := max(exact[2*i][2*j], exact[2*i][2*j+1], exact[2*i+1][2*j], exact[2*i+1][2*j+1])
			if got := pooled[1+i][9+j]; math.IsNaN(want) || want == 0 || got != want {
				t.Errorf("pooled cell %d.%d is %v, wanted %v", i, j, got, want)
			}
		}
	}
}

// TestFigureRefused: windows outside the text and invalid parameters are refused with a reason.
func TestFigureRefused(t *testing.T) {
	at := "m=gpt2&text=" + url.QueryEscape(text)
	for query, want := range map[string]int{"rows=0-3": 400, "rows=5-2": 400, "rows=x": 400, "cols=3": 400,
		"rows=1-9999": 404, "cols=9998-9999": 404, "layer=9": 404, "plane=x": 400, "unknown=1": 400, "": 200} {
		if status, body := get(t, "/export/long.png", at+"&"+query); status != want {
			t.Errorf("%s: %d, wanted %d: %.300s", query, status, want, body)
		}
	}
	if status, _ := get(t, "/export/long.gif", at); status != 404 {
		t.Errorf("a GIF: %d", status)
	}
	if status, _ := get(t, "/export/long.png", "m=dense&text=cat"); status != 422 {
		t.Errorf("a model with a limit: %d", status)
	}
}
