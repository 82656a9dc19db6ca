package components

import (
	"regexp"
	"strconv"
	"testing"
)

func TestTicks(t *testing.T) {
	place := regexp.MustCompile(`^\d+\.\d{3}%$`)
	for _, n := range []int{0, 1, 2, 5, 22, 23, 62, 63, 64, 400, 512} {
		for _, tick := range numberTicks(max(n, 1)) {
			if tick.text != strconv.Itoa(tick.index+1) {
				t.Errorf("of %d numbers the position %d is called %s", n, tick.index+1, tick.text)
			}
		}
		all := ticks(make([]TokenChip, n))
		if n > 0 && (len(all) == 0 || all[0].index != 0) {
			t.Errorf("%d tokens: the first has no label", n)
		}
		for i, tick := range all {
			if tick.ruler && tick.text != strconv.Itoa(tick.index+1) || tick.index >= n || !place.MatchString(tick.at()) {
				t.Errorf("%d tokens: label %d at %d, %s", n, i, tick.index, tick.at())
			}
			if i > 1 && nominal/float64(n)*float64(tick.index-all[i-1].index) < labelPitch {
				t.Errorf("%d tokens: labels %d and %d are too close", n, i-1, i)
			}
		}
	}
}
