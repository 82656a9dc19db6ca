package directory_test

import (
	"testing"

	"attnatlas/web/browsertest"
)

// TestDirectoryLeadsSomewhere: with models, the pages of the directory exist for the text of the visitor.
func TestDirectoryLeadsSomewhere(t *testing.T) {
	tab := browsertest.Browse(t, "/?theme=light&m=gpt2,dense&text=a+small+cat+sat")
	bad := browsertest.Ask[[]string](tab, `Promise.all([...document.querySelectorAll('#directory a')].map(async (a) => {
		const { status } = await fetch(a.href, { headers: { Accept: 'text/html' } });
		return status === 200 ? '' : a.href + ' ' + status;
	})).then((all) => (all.length < 18 ? ['only ' + all.length] : all.filter(Boolean)))`)
	if len(bad) > 0 {
		t.Error(bad)
	}
}

// TestSearchAsTyped: each key updates the result, which is the server's, and the address. Enter opens the first
// link, and an empty field shows everything again. On a phone the whole masthead is visible.
func TestSearchAsTyped(t *testing.T) {
	tab := browsertest.Browse(t, "/pages?theme=light")
	const names = `[...document.querySelectorAll('.directory-group:not([hidden])[open] li:not([hidden]) a')].map((a) => a.textContent)`
	tab.Eventually(names + `.length > 15`)
	all := browsertest.Ask[int](tab, names+`.length`)
	for _, search := range []string{"hashing", "sparse window", "xyzzy"} {
		tab.Slide("q", search)
		tab.Eventually(`new URL(location.href).searchParams.get('q') === '` + search + `'`)
		typed := browsertest.Ask[string](tab, names+`.join()`)
		served := browsertest.Ask[string](tab, `fetch(location.href).then((r) => r.text()).then((text) => {
			const page = new DOMParser().parseFromString(text, 'text/html');
			return [...page.querySelectorAll('.directory-group:not([hidden])[open] li:not([hidden]) a')].map((a) => a.textContent).join();
		})`)
		if typed != served || (typed == "") != (search == "xyzzy") {
			t.Errorf("%s: typed finds %q, the server %q", search, typed, served)
		}
	}
	tab.Slide("q", "hashing")
	browsertest.Ask[bool](tab, `document.querySelector('.directory-search').requestSubmit() || true`)
	browsertest.Becomes(tab, `document.activeElement.textContent`, "Hashing")
	tab.Slide("q", "")
	browsertest.Becomes(tab, names+`.length`, all)
	tab.Sized(1440, 900, "/pages?theme=light&q=hashing")
	tab.Slide("q", "")
	browsertest.Becomes(tab, names+`.length`, all)
	tab.Sized(390, 844, "/pages?theme=light")
	if right := browsertest.Ask[float64](tab, `Math.max(...[...document.querySelectorAll('.masthead a')].map((a) => a.getBoundingClientRect().right))`); right > 390 {
		t.Errorf("the masthead ends at %.0f", right)
	}
	tab.Fits("/pages on a phone")
}
