package web

import (
	"errors"
	"slices"
	"strings"

	"attnatlas/components"
	"attnatlas/engine"
)

// suggestions is an error that knows what may have been meant.
type suggestions struct {
	error
	links []components.Link
}

func (s suggestions) Unwrap() error { return s.error }

// noPage is the error of a mechanism's page that does not exist.
func (s *Server) noPage(id string, st State) error {
	links := []components.Link{}
	for _, near := range s.nearest(id) {
		e := s.subject(near)
		links = append(links, components.Link{Label: e.Name, Hint: e.Summary, URL: mechanismURL(st, near)})
	}
	links = append(links, components.Link{Label: "All mechanisms", Hint: "the list", URL: "/m"})
	return suggestions{engine.Errorf(engine.NotFound, "There is no mechanism %s.", clean(shown(id))), links}
}

// nearest are up to three ids that are written like id, the nearest first.
func (s *Server) nearest(id string) []string {
	type candidate struct {
		id       string
		distance int
	}
	id = strings.ToLower(id[:min(len(id), 64)])
	var all []candidate
	for _, e := range s.subjects {
		d := distance(id, e.ID)
		if id != "" && (strings.Contains(e.ID, id) || strings.Contains(id, e.ID)) {
			d = 1
		}
		if d <= max(2, len(e.ID)/3) {
			all = append(all, candidate{e.ID, d})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return a.distance - b.distance })
	var ids []string
	for _, c := range all[:min(len(all), 3)] {
		ids = append(ids, c.id)
	}
	return ids
}

// distance counts the letters to insert, to remove and to exchange that make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// suggested are the links of an error that has some.
func suggested(err error) []components.Link {
	var s suggestions
	if errors.As(err, &s) {
		return s.links
	}
	return nil
}
