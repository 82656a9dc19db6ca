package main

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/attention"
	"attnatlas/web"
)

// gate is an engine whose influence of one mechanism waits until it may go on, and is told when nobody waits
// for it any more.
type gate struct {
	*engine.Engine
	of       string
	open     chan struct{}
	departed chan struct{}
}

func (g gate) Inspect(ctx context.Context, r engine.Request) (*engine.Report, error) {
	if r.Influence > 0 && strings.Join(r.Mechanisms, ",") == g.of {
		select {
		case <-g.open:
		case <-ctx.Done():
			g.departed <- struct{}{}
			return nil, ctx.Err()
		}
	}
	return g.Engine.Inspect(ctx, r)
}

// gated serves the shipped models behind a gate; what it costs is the same for all but the gated one.
func gated(t *testing.T, of string) (gate, *httptest.Server) {
	t.Helper()
	g := gate{engine.New(), of, make(chan struct{}), make(chan struct{}, 9)}
	cost := func(r engine.Request) engine.Cost {
		return engine.Cost{Operations: 2e10 * float64(len(r.Mechanisms)+strings.Count(strings.Join(r.Mechanisms, ","), of))}
	}
	handler, err := web.New(web.Options{Inspector: g, Entries: attention.Catalog, Info: g.Info, Cost: cost, Log: slog.New(slog.DiscardHandler)})
	must(t, err)
	return g, started(handler)
}

const (
	progressText = `document.getElementById('progress').textContent`
	measuredMaps = `document.querySelectorAll('.map[data-map="influence"] canvas').length`
)

// TestCardsAreMeasuredOneByOne: the switch to influence says at once that what is shown is attention; cards come in the
// order of cost, and a cancelled measurement keeps those that are there and can go on.
func TestCardsAreMeasuredOneByOne(t *testing.T) {
	ctx := tab(t)
	g, server := gated(t, "fastformer")
	visit(t, ctx, server.URL+"/?m=fastformer,dense,random")
	stale := ask[string](t, ctx, `(() => {
		const s = document.getElementById('c-show');
		s.value = 'influence';
		s.dispatchEvent(new Event('change', { bubbles: true }));
		return [...document.querySelectorAll('.figure')].map((f) => getComputedStyle(f, '::after').content).join();
	})()`)
	if strings.Count(stale, "Attention. Influence is being measured.") != 3 {
		t.Errorf("the maps of attention say %s", stale)
	}
	eventually(t, ctx, progressText+`.includes('2 of 3 cards are measured') && `+measuredMaps+` === 2`)
	if ask[bool](t, ctx, `Boolean(document.querySelector('[data-stale]'))`) {
		t.Error("maps that are measured are called attention")
	}
	if text := ask[string](t, ctx, `document.querySelector('#card-fastformer .refusal-text').textContent`); text != "Its influence is being measured." {
		t.Errorf("the card that is not measured says %q", text)
	}
	ask[bool](t, ctx, `document.querySelector('#progress .cancel').click() || true`)
	<-g.departed
	eventually(t, ctx, progressText+`.includes('Cancelled: 2 of 3') && document.activeElement.matches('.resume') && `+measuredMaps+` === 2`)
	ask[bool](t, ctx, `document.activeElement.click() || true`)
	g.open <- struct{}{}
	eventually(t, ctx, measuredMaps+` === 3 && `+progressText+` === ''`)
	ask[bool](t, ctx, `document.querySelector('.token[data-i="3"]').dispatchEvent(new Event('pointerover', { bubbles: true })) || true`)
	eventually(t, ctx, `document.querySelector('[data-mechanism=fastformer].reading, .reading[data-mechanism=fastformer]')?.textContent.match(/\d/)`)
}

// TestLeavingEndsMeasuring: another text, or another thing to show, ends what is asked for.
func TestLeavingEndsMeasuring(t *testing.T) {
	ctx := tab(t)
	g, server := gated(t, "random")
	visit(t, ctx, server.URL+"/?m=random,dense&show=influence")
	eventually(t, ctx, progressText+`.includes('1 of 2')`)
	ask[bool](t, ctx, `(() => { const s = document.getElementById('c-show'); s.value = 'maps'; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`)
	<-g.departed
	eventually(t, ctx, shownMaps+` === 'weights,weights' && `+progressText+` === ''`)
}
