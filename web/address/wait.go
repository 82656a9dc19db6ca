package address

import (
	"net/url"
	"strings"
)

// Wait, as wait=1, makes a page wait for all its measurements. Without it, a page comes at once
// with the quick measurements. Scripts then load the rest; without scripts, the page links to the
// waiting one. Wait belongs to a visit and not to the content, so no other link contains it.
const Wait = "wait"

// Waits reports whether a URL asks to wait.
func Waits(v url.Values) bool { return v.Get(Wait) == "1" }

// Waiting returns the URL of the same page with Wait.
func Waiting(page string) string {
	if strings.Contains(page, "?") {
		return page + "&" + Wait + "=1"
	}
	return page + "?" + Wait + "=1"
}
