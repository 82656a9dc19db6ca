package reports

import (
	"slices"
	"sync"

	"attnatlas/engine"
)

// recent keeps the reports that were requested last, and always the latest one, however large. A page, its data and
// its figures request the same report one after the other; a cache by frequency would not admit a large new report.
type recent struct {
	most uint64 // bytes

	mu   sync.Mutex
	list []recentReport // the latest is the last
}

type recentReport struct {
	key    Key
	report *engine.Report
}

// get returns the report under a key, or nil.
func (c *recent) get(key Key) *engine.Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.list, func(r recentReport) bool { return r.key == key })
	if i < 0 {
		return nil
	}
	found := c.list[i]
	c.list = append(slices.Delete(c.list, i, i+1), found)
	return found.report
}

// put keeps a report and removes old ones that no longer fit.
func (c *recent) put(key Key, report *engine.Report) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(slices.DeleteFunc(c.list, func(r recentReport) bool { return r.key == key }),
		recentReport{key, report})
	room, first := int64(c.most), len(c.list)
	for first > 0 {
		r := c.list[first-1]
		if room -= int64(weigh(r.key, r.report)); room < 0 && first < len(c.list) {
			break
		}
		first--
	}
	c.list = slices.Delete(c.list, 0, first)
}
