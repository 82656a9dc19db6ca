package wall_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"attnatlas/engine/figure"
	"attnatlas/web/browsertest"

	"github.com/chromedp/chromedp"
)

// setTo changes a control of the form as a visitor does.
func setTo(t *testing.T, tab *browsertest.Tab, id, value string) {
	t.Helper()
	browsertest.Ask[bool](tab, fmt.Sprintf(`(() => { const s = document.getElementById(%q); s.value = %q; s.dispatchEvent(new Event('change', { bubbles: true })); return true; })()`, id, value))
}

// differing lists the maps and planes whose canvas and server picture have cells of different colours, once they
// are visible. Cells without a value are hatched.
const differing = `(async () => {
	const found = [], all = [...document.querySelectorAll('.map, .strip, .view')];
	let compared = 0;
	const pixels = async (link) => {
		const image = await createImageBitmap(await (await fetch(link)).blob()), copy = new OffscreenCanvas(image.width, image.height).getContext('2d');
		copy.drawImage(image, 0, 0);
		return copy.getImageData(0, 0, image.width, image.height);
	};
	const compare = async (id, box, map, plane) => {
		const canvas = box.querySelector('canvas.under'), link = new URL('/export/' + id + '.png' + location.search, location.href);
		if (!canvas) return;
		for (const [key, value] of [['bare', 1], ['scale', 1], ['map', map.name]]) link.searchParams.set(key, value);
		if (map.planes.length > 1) link.searchParams.set('plane', plane + 1);
		const want = await pixels(link), { rows, cols } = map, classes = map.planes[plane].classes || '';
		const edge = (i, n, size) => Math.max(0, Math.ceil((i * size) / n - 0.5));
		const got = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
		let differ = want.width === cols && want.height === rows ? 0 : 1e6;
		for (let r = 0; r < rows; r++) for (let c = 0; c < cols; c++) {
			if ('125'.includes(classes[r * cols + c] ?? 'x')) continue;
			const at = 4 * ((edge(r, rows, canvas.height) + 1) * canvas.width + edge(c, cols, canvas.width) + 1);
			for (let k = 0; k < 3; k++) if (got[at + k] !== want.data[4 * (r * cols + c) + k]) differ++;
		}
		compared++;
		if (differ) found.push(id + ' ' + map.name + ' ' + plane + ': ' + differ);
	};
	for (const el of all) {
		const id = el.closest('[data-mechanism]').dataset.mechanism;
		const source = new URL(el.closest('.more')?.dataset.src ?? document.getElementById('main').dataset.src, location.href);
		const answer = await (await fetch(source)).json();
		const map = answer.mechanisms.find((m) => m.id === id).maps.find((m) => m.name === el.dataset.map);
		el.scrollIntoView({ block: 'center' });
		for (let frame = 0; frame < 3; frame++) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
		for (let plane = 0; plane < map.planes.length; plane++) {
			el.querySelectorAll('.plane')[plane]?.click();
			await compare(id, el.querySelector('.sheet') ?? el, map, plane);
		}
	}
	return [...found, 'of ' + compared];
})()`

// TestEveryCanvasEqualsItsImage: canvases equal the pictures in every normalisation, for shares, signed numbers,
// classes, orders, strips and stacks. The normalisation of one page is changed.
func TestEveryCanvasEqualsItsImage(t *testing.T) {
	server := browsertest.Untrained(t).URL
	tab := open(t, server+"/?theme=dark&cmap=viridis&norm=absolute&mask=none&m=dot-product,reformer,longformer,fastformer")
	browsertest.Ask[bool](tab, `document.querySelectorAll('.more > summary').forEach((s) => s.click()) || true`)
	for _, norm := range figure.Norms() {
		setTo(t, tab, "c-norm", norm.String())
		tab.Eventually(fmt.Sprintf(`!document.getElementById('controls').hasAttribute('aria-busy')
			&& (new URL(document.getElementById('main').dataset.src, location.href).searchParams.get('norm') ?? 'row') === '%s'`, norm))
		tab.Eventually(`[...document.querySelectorAll('.map, .strip, .view .sheet')].every((s) => s.querySelector('canvas.under')?.width > 1)`)
		browsertest.Becomes(tab, differing, []string{"of 18"})
	}
}

// asFresh lists the differences from the page that the server sends for the address: in links, pictures, legends
// and controls.
const asFresh = `(async () => {
	const fresh = new DOMParser().parseFromString(await (await window.really(location.href)).text(), 'text/html'), differ = [];
	const same = (what, of) => { const [a, b] = [document, fresh].map((d) => JSON.stringify(of(d))); if (a !== b) differ.push(what + ': ' + a + ' instead of ' + b); };
	same('theme', (d) => [d.documentElement.dataset.theme, d.querySelector('meta[name="color-scheme"]').content]);
	same('address', (d) => [d.getElementById('main').dataset.permalink, d.querySelector('.permalink')?.textContent, d.getElementById('main').dataset.src]);
	same('legends', (d) => [...d.querySelectorAll('.bar')].map((b) => b.className));
	same('controls', (d) => [...d.querySelectorAll('#controls select')].map((s) => s.value));
	same('links', (d) => [...d.querySelectorAll('a[href]')].map((a) => a.getAttribute('href')));
	const pictures = (d) => [...d.querySelectorAll('picture')].map((p) => [...p.children].map((c) => (c.media ?? '') + (c.getAttribute('src') ?? c.srcset)).join());
	const known = pictures(fresh);
	for (const p of pictures(document)) if (!known.includes(p)) differ.push('picture ' + p);
	return differ;
})()`

// TestColoursFetchNothing: another colour map or theme repaints without requests. The page then equals the
// server's page, also after Back.
func TestColoursFetchNothing(t *testing.T) {
	server := browsertest.ServeFolder(t, browsertest.Folder(t, "dot-product", "reformer", "encoder-decoder"))
	tab := browsertest.Open(t)
	text := "&text=" + url.QueryEscape("the cat's 100% *sat* ~ (on) it? & = + 小猫")
	for _, path := range []string{"/?m=dot-product,reformer&was=a&head=2&pin=2.3" + text, "/m/reformer?norm=map" + text,
		"/m/encoder-decoder?step=2&layer=1" + text} {
		tab.Visit(server + path)
		tab.Eventually(`document.querySelector('canvas.under')?.width > 1`)
		tab.Settled() // so that the canvas keeps its size
		browsertest.Ask[bool](tab, `counting()`)
		picture := func() string {
			return browsertest.Ask[string](tab, `document.querySelector('canvas.under').toDataURL()`)
		}
		first := picture()
		before := browsertest.Ask[string](tab, `location.search`)
		for _, change := range [][2]string{{"c-cmap", "magma"}, {"c-theme", "dark"}, {"c-cmap", "cividis"},
			{"c-theme", "auto"}} {
			setTo(t, tab, change[0], change[1])
			tab.Eventually(fmt.Sprintf(`document.getElementById('controls').elements.%s.value === %q`, change[0][2:], change[1]))
			browsertest.Becomes(tab, asFresh, []string{})
		}
		if picture() != first {
			t.Errorf("%s: the first colours look different", path)
		}
		for range 2 {
			tab.Do(chromedp.NavigateBack())
		}
		tab.Eventually(`location.search.includes('cmap=magma') && location.search.includes('theme=dark')
			&& document.documentElement.dataset.theme === 'dark'`)
		browsertest.Becomes(tab, asFresh, []string{})
		if picture() == first {
			t.Errorf("%s, back: other colours look the same", path)
		}
		browsertest.Ask[bool](tab, `history.go(-2) || true`)
		tab.Eventually(`location.search === ` + fmt.Sprintf("%q", before) +
			` && document.documentElement.dataset.theme === 'auto'`)
		if got := browsertest.Ask[[]string](tab, `asked`); len(got) != 0 {
			t.Errorf("%s fetched %q", path, got)
		}
	}
}

// TestNormalisationFetchesCells: the numbers are known, stay the same, and are not sent again.
func TestNormalisationFetchesCells(t *testing.T) {
	tab := browsertest.Browse(t, "/?layer=1&pin=3.4")
	exact := `document.querySelector('#readings [data-mechanism="dense"] dd').title`
	tab.Eventually(exact)
	before := browsertest.Ask[string](tab, exact)
	want := browsertest.Ask[string](tab, `fetch('/api/v1/attend?layer=1&head=auto&m=dense&map=weights&text=' + encodeURIComponent(document.getElementById('c-text').value)).then((r) => r.json()).then((a) => String(a.mechanisms[0].layers[0].maps[0].values[2 * 19 + 3]))`)
	if before != want {
		t.Errorf("the page reads %s, the API %s", before, want)
	}
	tab.Settled() // so that the canvas keeps its size
	picture := browsertest.Ask[string](tab, `document.querySelector('canvas.under').toDataURL()`)
	browsertest.Ask[bool](tab, `counting()`)
	setTo(t, tab, "c-norm", "log")
	tab.Eventually(`location.search.includes('norm=log') && document.querySelector('canvas.under').toDataURL() !== ` +
		fmt.Sprintf("%q", picture))
	tab.Eventually(exact + ` === ` + fmt.Sprintf("%q", want))
	if got := browsertest.Ask[[]string](tab, `asked`); len(got) != 2 || !strings.HasPrefix(got[1], "./api/v1/drawing?") ||
		!strings.HasSuffix(got[1], "&values=0") {
		t.Errorf("fetched %q", got)
	}
	setTo(t, tab, "c-norm", "row")
	tab.Eventually(`!location.search.includes('norm') && document.querySelector('canvas.under').toDataURL() === ` +
		fmt.Sprintf("%q", picture))
	if got := browsertest.Ask[[]string](tab, `asked`); len(got) != 3 {
		t.Errorf("fetched %q", got)
	}
}
