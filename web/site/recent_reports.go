package site

import (
	"slices"
	"sync"

	"attnatlas/engine"
)

// recent keeps the reports that were asked for last, the latest whatever it weighs: a page, its
// data and its figures ask for the same one after the other, and a cache that goes by how often
// things are wanted takes up nothing large that is new.
type recent struct {
	most uint64 // bytes

	mu   sync.Mutex
	list []recentReport // the latest last
}

type recentReport struct {
	key    ReportKey
	report *engine.Report
}

// get is the report under a key, or nil.
func (c *recent) get(key ReportKey) *engine.Report {
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

// put keeps a report and forgets those that there is no room for beside it.
func (c *recent) put(key ReportKey, report *engine.Report) {
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
