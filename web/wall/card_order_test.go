package wall_test

import (
	"fmt"
	"strings"
	"testing"

	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const cardsShown = `[...document.querySelectorAll('.cards > .card')].map((c) => c.dataset.mechanism).join()`

// TestOrderOfCardsStays: the order stays with every control, and keys change it. Without mechanisms there is a
// sentence.
func TestOrderOfCardsStays(t *testing.T) {
	tab := browsertest.Browse(t, "/?theme=light&m=gpt2,bert,fastformer,dot-product&text=a+cat")
	p := newPage(t, tab)
	p.tab.Choose("c-layer", "2")
	tab.Eventually(`location.search.includes('layer=2')`)
	browsertest.Becomes(tab, cardsShown, "gpt2,bert,fastformer,dot-product")
	tab.Do(chromedp.Focus(chromedp.CSS("#map-bert")),
		chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierAlt)))
	tab.Eventually(cardsShown + ` === 'gpt2,fastformer,bert,dot-product'
		&& new URL(location.href).searchParams.get('m') === 'gpt2,fastformer,bert,dot-product'`)
	tab.Eventually(`document.activeElement.id === 'map-bert'`)
	p.do(`document.querySelector('#c-mechanisms input[value=linear]').click()`)
	tab.Eventually(cardsShown + ` === 'gpt2,fastformer,bert,dot-product,linear'`)
	p.do(`document.querySelectorAll('#c-mechanisms input:checked').forEach((box) => { box.checked = false; }); document.querySelector('#c-mechanisms input').dispatchEvent(new Event('change', { bubbles: true }))`)
	tab.Eventually(cardsShown + ` === '' && document.querySelector('#problem').textContent.includes('No mechanism is selected')`)
}

// TestDraggedCards: a card is dragged by its name to the position of another card.
func TestDraggedCards(t *testing.T) {
	tab := browsertest.Browse(t, "/?theme=light")
	tab.Settled()
	middle := func(id string) (x, y float64) {
		at := browsertest.Ask[[]float64](tab, `(() => { const r = document.querySelector('#card-`+id+
			` h2').getBoundingClientRect(); return [r.left + 20, r.top + r.height / 2]; })()`)
		return at[0], at[1]
	}
	x, y := middle("dot-product")
	tx, ty := middle("dense")
	browsertest.Must(t, chromedp.Do(tab, chromedp.MouseEvent(chromedp.MousePressed, x, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, x+20, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, tx, ty, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseReleased, tx, ty, chromedp.ButtonLeft)))
	tab.Eventually(cardsShown + ` === 'random,dense,dot-product,fastformer'
		&& new URL(location.href).searchParams.get('m') === 'random,dense,dot-product,fastformer'`)
}

// TestFamilies: one click chooses all mechanisms of a family, or none.
func TestFamilies(t *testing.T) {
	tab := browsertest.Browse(t, "/?theme=light&text=a+cat&m=dot-product")
	p := newPage(t, tab)
	family := func(member, button string) {
		p.do(`document.querySelector('#c-mechanisms input[value="` + member +
			`"]').closest('.mechanism-family').previousElementSibling.querySelector('` + button + `').click()`)
	}
	family("shuffle-exchange", ".family[data-check]")
	tab.Eventually(cardsShown + ` === 'dot-product,shuffle-exchange,residual-shuffle-exchange'`)
	family("dot-product", ".family:not([data-check])")
	tab.Eventually(cardsShown + ` === 'shuffle-exchange,residual-shuffle-exchange'`)
}

// TestWallOfAll: with all mechanisms and 64 tokens, the page has at most 2500 elements until more is opened. Other
// colours need no request, and opened parts arrive.
func TestWallOfAll(t *testing.T) {
	tab := browsertest.Browse(t, browsertest.WallAddress(len(browsertest.OwnModels()), 64, 1))
	tab.Settled()
	if n := browsertest.Ask[int](tab, `document.querySelectorAll('*').length`); n > 2500 {
		t.Errorf("%d elements", n)
	}
	if n := browsertest.Ask[int](tab, `document.querySelectorAll('.card').length`); n < 26 {
		t.Fatalf("%d cards", n)
	}
	p := newPage(t, tab)
	browsertest.Ask[bool](tab, `counting()`)
	p.tab.Choose("c-cmap", "magma")
	tab.Eventually(`location.search.includes('cmap=magma')`)
	tab.Settled()
	if got := browsertest.Ask[[]string](tab, `[...asked, ...performance.getEntriesByType('resource').map((one) => one.name).filter((name) => name.includes('cmap=magma'))]`); len(got) > 0 {
		t.Errorf("other colours are asked for: %q", got)
	}
	p.do(`document.querySelector('#more-linformer summary').click()`)
	tab.Eventually(`document.querySelector('#more-linformer .sheet canvas')`)
}

// TestPinnedWallOfAll: a pinned or masked word does not exceed that number of elements, whether it was pinned
// before or after loading. The next words and all lines are still there.
func TestPinnedWallOfAll(t *testing.T) {
	address := browsertest.WallAddress(len(browsertest.OwnModels()), 64, 1)
	hidden := strings.Replace(address, "+he+", "+%5BMASK%5D+", 1) + "&was=he"
	if hidden == address+"&was=he" {
		t.Fatal("no word is hidden")
	}
	const few = `document.querySelectorAll('*').length <= 2500`
	tab := browsertest.Open(t)
	for _, one := range []struct{ name, address string }{
		{"row", address + "&pin=9"}, {"cell", address + "&pin=9.3"}, {"aside", address + "&pin=9&sinks=aside"},
		{"hidden, row", hidden + "&pin=9"}, {"hidden", hidden},
	} {
		tab.Visit(browsertest.Server(t).URL + one.address)
		tab.Settled()
		if !browsertest.Comes(func() bool { return browsertest.Ask[bool](tab, few) }) {
			t.Fatalf("%s: %d elements", one.name, browsertest.Ask[int](tab, `document.querySelectorAll('*').length`))
		}
		tab.Trigger("#row-10")
		tab.Eventually(`document.querySelector('#card-gpt2 .prediction.now sub').textContent === '11'`)
		tab.Eventually(`[...document.querySelectorAll('#readings dd')].length > 25
			&& [...document.querySelectorAll('#readings dd')].every((one) => one.textContent)`)
		if !browsertest.Comes(func() bool { return browsertest.Ask[bool](tab, few) }) {
			t.Fatalf("%s: %d elements when another word is pinned", one.name,
				browsertest.Ask[int](tab, `document.querySelectorAll('*').length`))
		}
	}
	browsertest.Becomes(tab, `document.querySelectorAll('.card .likeliest').length > 20`, true)
	newPage(t, tab).do(`document.querySelector('#background-bert summary').click()`)
	tab.Eventually(`document.querySelectorAll('#background-bert .prediction .likely li').length === 5`)
}

// TestPointingIsCheap: with all mechanisms, a move of the pointer forces no layout by scripts, and recomputes few
// styles.
func TestPointingIsCheap(t *testing.T) {
	tab := browsertest.Browse(t, browsertest.WallAddress(len(browsertest.OwnModels()), 64, 2))
	tab.Settled()
	b := tab.Box(".map")
	const steps = 10
	point := func(from int) {
		for i := from; i < from+steps; i++ {
			tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, b[0]+float64(8*i+4), b[1]+float64(5*i+4)))
			browsertest.Ask[bool](tab, `new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true))))`)
		}
	}
	point(0)
	tab.Eventually(`!document.querySelector('[aria-busy=true]')`) // pointing at rows brings the next words of each
	tab.Settled()
	const rests = 5
	// (Rules that depend on the whole page cost 1,671 elements per move.)
	forced, all, styled := browsertest.Layouts(tab, func() {
		for i := range rests { // words are written when the pointer rests
			said := browsertest.Ask[string](tab, `document.getElementById('pair').textContent`)
			point(steps + i)
			tab.Eventually(fmt.Sprintf(`document.getElementById('pair').textContent !== %q`, said))
		}
	})
	if forced > 0 || all < rests {
		t.Errorf("%.0f of %.0f layouts of %d steps and %d rests are forced by scripts", forced, all, rests*steps, rests)
	}
	if styled > 200*rests*steps || styled < rests*steps {
		t.Errorf("the styles of %.0f elements are computed in each of %d steps", styled/(rests*steps), rests*steps)
	}
}

// TestAKeyChangesLittle: with all mechanisms, one more letter creates few elements. Unchanged elements stay, also
// marked words, nothing accumulates in the maps, and only changed styles are recomputed.
func TestAKeyChangesLittle(t *testing.T) {
	tab := browsertest.Browse(t, browsertest.WallAddress(len(browsertest.OwnModels()), 19, 4))
	tab.Settled()
	p := newPage(t, tab)
	letter := func() (added, inMap int) {
		p.do(`window.added = 0; window.seen = new MutationObserver((list) => { for (const one of list) for (const node of one.addedNodes) window.added += node.querySelectorAll ? 1 + node.querySelectorAll('*').length : 0; });
			window.seen.observe(document.body, { childList: true, subtree: true });
			const text = document.getElementById('c-text'); text.value += 'x'; text.dispatchEvent(new Event('input', { bubbles: true }));`)
		tab.Eventually(`new URLSearchParams(location.search).get('text') === document.getElementById('c-text').value`)
		tab.Settled()
		got := browsertest.Ask[[]int](tab, `(window.seen.disconnect(), [window.added, document.querySelector('#map-dense').childNodes.length])`)
		return got[0], got[1]
	}
	letter() // the first letter finds words without marks of scripts
	_, before := letter()
	var added, now int
	_, _, styled := browsertest.Layouts(tab, func() { added, now = letter() })
	if styled > 250 {
		t.Errorf("the styles of %.0f elements are computed", styled)
	}
	if added > 250 {
		t.Errorf("%d elements are new", added)
	}
	if now > before {
		t.Errorf("a map has %d nodes, and had %d", now, before)
	}
}

// TestALetterPaintsWhatIsInSight: with all mechanisms, a letter repaints only the visible maps. Maps are painted
// before they scroll into view.
func TestALetterPaintsWhatIsInSight(t *testing.T) {
	tab := browsertest.Browse(t, browsertest.WallAddress(len(browsertest.OwnModels()), 19, 5))
	tab.Settled()
	p := newPage(t, tab)
	browsertest.Ask[bool](tab, `painting.start()`)
	p.do(`document.querySelectorAll('.card')[9].scrollIntoView({ block: 'center' })`)
	const seen = `painting.seen(9)`
	tab.Eventually(seen)
	tab.Settled()
	p.do(`window.painted.clear(); const text = document.getElementById('c-text'); text.value += 'x'; text.dispatchEvent(new Event('input', { bubbles: true }))`)
	tab.Eventually(`new URLSearchParams(location.search).get('text') === document.getElementById('c-text').value
		&& !document.getElementById('controls').hasAttribute('aria-busy')`)
	tab.Settled()
	tab.Eventually(seen + ` && window.painted.size < 9`) // the maps of the rows above and below are near
	p.do(`document.querySelectorAll('.card')[13].scrollIntoView({ block: 'center' })`)
	tab.Eventually(`painting.seen(13)`)
}

// TestCardsFollowTheText: for another text of the same length, unchanged cards are not sent again. They have the
// texts and links of the whole page. A part that a script has changed is sent.
func TestCardsFollowTheText(t *testing.T) {
	tab := browsertest.Browse(t, "/?theme=light&m=dense,gpt2&text="+strings.Repeat("cat+", 20)+"a")
	tab.Settled()
	p := newPage(t, tab)
	p.do(`window.kept = []; const asked = window.fetch; window.fetch = async (...of) => { const got = await asked(...of); if (of[1]?.headers?.['Atlas-Has'] !== undefined) window.kept.push((await got.clone().text()).split('data-same').length - 1); return got; };`)
	write := func(letter string) {
		p.do(`const text = document.getElementById('c-text'); text.value = text.value.slice(0, -1) + '` + letter +
			`'; text.dispatchEvent(new Event('input', { bubbles: true }))`)
		tab.Eventually(`new URLSearchParams(location.search).get('text') === document.getElementById('c-text').value
			&& !document.getElementById('controls').hasAttribute('aria-busy')`)
		tab.Settled()
	}
	const says = `(card) => JSON.stringify([[...card.querySelectorAll('[href], [data-src]')].map((one) => [one.getAttribute('href'), one.dataset.src]), [...card.querySelectorAll('.note, .facts, .badge, .guesses, .prediction-of, .likely')].map((one) => one.textContent)])`
	same := func(after string) {
		t.Helper()
		got := browsertest.Ask[[][]string](tab, `(async () => {
			const says = `+says+`, answer = await fetch(location.href, { headers: { 'Atlas-Open': [...document.querySelectorAll('.card details[open]')].map((one) => one.id).join() } });
			const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
			return [...document.querySelectorAll('.card')].map((card) => [says(card), says(page.getElementById(card.id))]);
		})()`)
		if len(got) != 2 {
			t.Fatalf("%d cards", len(got))
		}
		for _, one := range got {
			if one[0] != one[1] {
				t.Errorf("after %s a card says\n%s\nand that of the whole page\n%s", after, one[0], one[1])
			}
		}
	}
	write("I")
	same("a letter")
	browsertest.Becomes(tab, `window.kept`, []int{2})
	p.do(`document.querySelector('#background-dense summary').click()`)
	tab.Eventually(`document.querySelector('#background-dense .source')`)
	p.do(`document.querySelector('#background-dense summary').click()`) // a closed part keeps the content for this text
	write("a")
	same("a part that was opened and closed")
	browsertest.Becomes(tab, `window.kept`, []int{2, 1})
}

// TestNumbersComeOnce: another norm requests colours but not the numbers again, also if a card has none.
func TestNumbersComeOnce(t *testing.T) {
	tab := browsertest.Browse(t, "/?theme=light&m=dense,encoder-decoder&text="+strings.Repeat("cat+", 40))
	tab.Settled()
	p := newPage(t, tab)
	p.do(`performance.clearResourceTimings(); const s = document.getElementById('c-norm'); s.value = 'log'; s.dispatchEvent(new Event('change', { bubbles: true }))`)
	tab.Eventually(`location.search.includes('norm=log')`)
	tab.Settled()
	browsertest.Becomes(tab, `performance.getEntriesByType('resource').map((one) => one.name).filter((name) => name.includes('/drawing')).map((name) => name.endsWith('&values=0'))`, []bool{true})
	tab.Eventually(`document.querySelector('#card-encoder-decoder .refusal') !== null
		&& /[0-9]/.test(document.querySelector('#map-dense').getAttribute('aria-label'))`)
}

// TestWordsFollowAtTheirPace: while the pointer moves, lines follow every move, and texts are written ten times
// per second. With many cards, they are written when the pointer rests.
func TestWordsFollowAtTheirPace(t *testing.T) {
	t.Run("two", func(t *testing.T) {
		tab := browsertest.Browse(t, "/?theme=light&m=dense,random")
		lines, words, tenths, _ := wordsFollow(t, tab)
		if most := tenths + 2; lines < 15 || words > most {
			t.Errorf("lines moved %d times, words %d times of at most %d", lines, words, most)
		}
		tab.Eventually(`document.getElementById('pair').textContent.includes('[SEP]')`) // the last cell
	})
	t.Run("many", func(t *testing.T) {
		tab := browsertest.Browse(t, browsertest.WallAddress(len(browsertest.OwnModels()), 19, 1))
		lines, words, _, rests := wordsFollow(t, tab)
		if most := rests + 1; lines < 15 || words > most {
			t.Errorf("lines moved %d times, words %d times of at most %d", lines, words, most)
		}
		tab.Eventually(`document.getElementById('pair').textContent.includes('[SEP]')`)
	})
}

// wordsFollow moves the pointer over a map, one move per frame. It counts moves of lines, writes of texts, tenths
// of a second, and frames so slow that the pointer seemed to rest.
func wordsFollow(t *testing.T, tab *browsertest.Tab) (lines, words, tenths, rests int) {
	t.Helper()
	tab.Settled()
	got := browsertest.Ask[[]int](tab, `following()`)
	return got[0], got[1], got[2], got[3]
}

// TestEverything: one click in the menu shows all cards at a short address, another one clears them. The menu
// stays open for the next choice.
func TestEverything(t *testing.T) {
	tab := browsertest.Browse(t, "/?theme=light&text=a+cat&m=dot-product")
	p := newPage(t, tab)
	browsertest.Ask[bool](tab, `document.getElementById('mechanisms').open = true`)
	p.do(`document.querySelector('#everything a').click()`)
	tab.Eventually(`new URL(location.href).searchParams.get('m') === 'all'
		&& document.querySelectorAll('.card').length > 20`)
	p.do(`document.querySelectorAll('#everything a')[1].click()`)
	tab.Eventually(`new URL(location.href).searchParams.get('m') === '' && !document.querySelector('.card')
		&& document.getElementById('mechanisms').open`)
}
