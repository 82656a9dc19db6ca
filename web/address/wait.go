package address

import (
	"net/url"
	"strings"
)

// Wait, as wait=1, has a page come when all is there that is measured for it. Without it a page comes at once with what
// is soon measured, and scripts ask for the rest; where there are none, the page leads to the one that waits. It
// belongs to a visit, not to what is shown: no other link has it.
const Wait = "wait"

// Waits says whether an address asks to wait.
func Waits(v url.Values) bool { return v.Get(Wait) == "1" }

// Waiting is the same page, which waits.
func Waiting(page string) string {
	if strings.Contains(page, "?") {
		return page + "&" + Wait + "=1"
	}
	return page + "?" + Wait + "=1"
}
