package wall_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"attnatlas/engine/figure"
	"attnatlas/web/browsertest"
)

// TestReadingsSayUnits: counts and lengths have their units everywhere: in the read-out of the server and of the
// scripts, in the table, in the name of the map, and in the line below another map.
func TestReadingsSayUnits(t *testing.T) {
	tab := browsertest.Open(t)
	server := browsertest.Untrained(t).URL
	for _, c := range []struct{ id, cell, largest string }{
		{"shuffle-exchange", "meet after 1 stage", "meet after 1 stage"},
		{"fastformer", "length ", "length "},
	} {
		tab.Visit(server + "/m/" + c.id + "?pin=3.4")
		const filled = `document.querySelector('#readings dd').firstChild.textContent`
		tab.Eventually(fmt.Sprintf(filled+`.startsWith(%q) && document.querySelector('#pair').textContent.includes('attends to')`, c.cell))
		sent := browsertest.Ask[string](tab, `fetch(location.href).then((r) => r.text()).then((html) => new DOMParser().parseFromString(html, 'text/html').querySelector('#readings dd').textContent)`)
		tab.Eventually(linesWritten)
		browsertest.Becomes(tab, filled, sent)
		tab.Trigger(".as-table")
		tab.Eventually(fmt.Sprintf(`document.querySelector('.row-table tbody td:last-child')?.textContent.startsWith(%q)`,
			c.largest))
		tab.Eventually(fmt.Sprintf(`document.querySelector('.map').getAttribute('aria-label').includes(%q)`, ", "+c.largest))
	}
}

// TestReadingsAreWholeOnAPhone: values with units and the text next to them are not cut off in any column.
func TestReadingsAreWholeOnAPhone(t *testing.T) {
	tab := browsertest.Open(t)
	for _, width := range []int64{390, 320} {
		tab.Window(width, 844)
		for _, m := range []string{"fastformer,shuffle-exchange,dense,random", "dense,fastformer,random,shuffle-exchange"} {
			tab.Visit(browsertest.Untrained(t).URL + "/?text=The+cat+sat+on+the+mat&pin=3.4&m=" + m)
			tab.Eventually(`document.querySelectorAll('.reading').length === 4 && ` + linesWritten)
			tab.Settled()
			browsertest.Becomes(tab, cutReadings, []string{})
		}
	}
}

// TestRowsHaveNoCutNumbers: among the words that get most attention, each has its whole number or is left out.
func TestRowsHaveNoCutNumbers(t *testing.T) {
	tab := browsertest.Open(t)
	for _, width := range []int64{1440, 1000, 390} {
		tab.Window(width, 900)
		tab.Visit(browsertest.Server(t).URL + "/?pin=3")
		tab.Eventually(`document.querySelectorAll('.readings.rows .reading').length === 4 && ` + linesWritten)
		tab.Settled()
		browsertest.Becomes(tab, `[...document.querySelectorAll('.readings dd')].filter((d) => d.scrollWidth > d.clientWidth).map((d) => d.textContent)`, []string{})
		tab.Eventually(`[...document.querySelectorAll('.readings dd bdi:first-child')].every((w) => w.scrollWidth <= w.clientWidth && w.getBoundingClientRect().bottom <= w.closest('dd').getBoundingClientRect().bottom + 1)`)
	}
}

// TestReadingsOfRows: the words that a row attends to most, and the row that attends most to a column.
func TestReadingsOfRows(t *testing.T) {
	tab := browsertest.Open(t)
	server := browsertest.Untrained(t).URL
	for show, want := range map[string]string{"maps": "cat3 attends most to", "influence": "cat3 is influenced most by",
		"rollout": "cat3 comes most from"} {
		tab.Visit(server + "/?m=dot-product,shuffle-exchange&show=" + show)
		browsertest.Ask[bool](tab, `document.querySelector('.token[data-label=cat]').dispatchEvent(new Event('pointerover', { bubbles: true })) || true`)
		tab.Eventually(fmt.Sprintf(pairText+` === %q`, want))
		tab.Eventually(`/^\S+ 0?\.?\d+ · \S+ \d/.test(document.querySelector('#readings dd').textContent)`)
	}
	tab.Visit(server + "/m/shuffle-exchange")
	tab.Eventually(`document.querySelector('.view-wiring .sheet')?.tabIndex === 0`)
	newPage(t, tab).point("shuffle-exchange", "wiring", 2, 0)
	tab.Eventually(pairText + ` === 'cat3 is attended to most by'`)
}

// TestAxesAreNamedWhole: a card has the full names of its axes, also names of two words.
func TestAxesAreNamedWhole(t *testing.T) {
	tab := browsertest.Open(t)
	for _, width := range []int64{1440, 390} {
		tab.Window(width, 900)
		for _, show := range []string{"maps", "rollout"} {
			tab.Visit(browsertest.Server(t).URL + "/?m=dot-product,random,dense,bert&show=" + show)
			tab.Settled()
			tab.Eventually(`document.querySelectorAll('.card .axis-cols').length === 4`)
			browsertest.Becomes(tab, `[...document.querySelectorAll('.card .axis-title')].filter((title) => {
				const at = title.getBoundingClientRect(), card = title.closest('.card').getBoundingClientRect();
				return at.left < card.left || at.right > title.parentElement.querySelector('.map').getBoundingClientRect().left + 1;
			}).map((title) => title.textContent)`, []string{})
		}
	}
}

// TestLegendsHaveRoom: no label of a colour bar touches another one or exceeds the bar, on cards of any width.
func TestLegendsHaveRoom(t *testing.T) {
	tab := browsertest.Open(t)
	server := browsertest.Untrained(t).URL
	for _, norm := range figure.Norms() {
		tab.Visit(server + "/?theme=light&m=dot-product,shuffle-exchange,reformer,fastformer,linear-transformer&norm=" +
			norm.String())
		browsertest.Ask[bool](tab, `document.querySelectorAll('details').forEach((d) => { d.open = true; }) || true`)
		tab.Eventually(`!document.querySelector('details[data-folded][open]')`)
		tab.Settled()
		for _, width := range []int{212, 240, 300, 392} {
			touching := browsertest.Ask[[]string](tab, fmt.Sprintf(`labels.touching(%d)`, width))
			if len(touching) > 0 {
				t.Errorf("%s, %d pixels: %q", norm, width, touching)
			}
			if n := browsertest.Ask[int](tab, `document.querySelectorAll('.legend-ticks').length`); n < 10 {
				t.Errorf("only %d scales", n)
			}
		}
	}
}

// TestStagesAreNoAttention: if bright means late, unlike on the maps next to it, the legend says so.
func TestStagesAreNoAttention(t *testing.T) {
	const late = "brighter: the two words meet later"
	for id, want := range map[string]bool{"shuffle-exchange": true, "residual-shuffle-exchange": true, "dense": false,
		"universal": false} {
		response, err := http.Get(browsertest.Server(t).URL + "/?text=hello+you&m=" + id)
		browsertest.Must(t, err)
		page, err := io.ReadAll(response.Body)
		browsertest.Must(t, errors.Join(err, response.Body.Close()))
		if got := strings.Contains(string(page), late); got != want {
			t.Errorf("%s: %v", id, got)
		}
	}
}
