package directory

import (
	"net/http"
	"strconv"
	"strings"

	"attnatlas/engine/messages"
	"attnatlas/web/address"
	"attnatlas/web/scene"
	"attnatlas/web/site"
	"attnatlas/web/wall"
)

// groups returns the directory, with the entries marked that a search leaves out. The links carry a state.
func (s *pages) groups(r *http.Request, st address.State, search string) (all []pageGroup) {
	l := site.Language(r)
	to := site.StateLinks(site.Alone(st))
	for _, g := range s.Directory(l, st) {
		shown := pageGroup{ID: g.ID, Name: g.Name, Open: true, Usual: true}
		for _, p := range g.Pages {
			shown.Entries = append(shown.Entries, Entry{Name: p.Name, Says: p.Says, URL: p.URL})
		}
		all = append(all, shown)
	}
	mechanisms, papers := s.mechanisms(l.Say, to)
	terms := pageGroup{ID: "terms"}
	for _, t := range l.Terms() {
		terms.Entries = append(terms.Entries, Entry{Name: t.Name, Says: t.Says, URL: to(site.GlossaryPath) + "#" + t.ID})
	}
	examples, view := pageGroup{ID: "examples"}, &wall.View{Site: s.Views, Request: r, Language: l, State: st}
	for _, sc := range scene.Examples() {
		examples.Entries = append(examples.Entries, Entry{Name: l.T("example." + sc.ID + ".title"), Says: sc.Text,
			URL: address.Wall(view.ExampleState(sc))})
	}
	for _, g := range []pageGroup{mechanisms, terms, examples, papers} {
		g.Name = l.T("directory.group." + g.ID)
		all = append(all, g)
	}
	for i := range all {
		all[i].search(search)
	}
	return all
}

// search marks the entries that a search leaves out. It opens the group if an entry is left.
func (g *pageGroup) search(search string) {
	for i := range g.Entries {
		e := &g.Entries[i]
		if e.Out = !e.matches(search); !e.Out {
			g.Found++
		}
	}
	g.Open = g.Open || strings.TrimSpace(search) != ""
}

// mechanisms returns all mechanisms and architectures with their families, and the papers that define them. A paper
// links to the first mechanism that it defines.
func (s *pages) mechanisms(say func(messages.Message) string, to func(path string) string) (list, papers pageGroup) {
	list.ID, papers.ID = "mechanisms", "papers"
	family, place := map[string]string{}, map[string]int{}
	for _, f := range s.Families() {
		for _, m := range f.List {
			family[m.ID] = say(messages.New("family." + f.Id))
		}
	}
	for _, m := range s.Mechanisms {
		name, url := say(m.Name), to(address.MechanismPath(m.ID))
		list.Entries = append(list.Entries, Entry{Name: name, Says: family[m.ID] + ". " + say(m.Summary), URL: url})
		paper := m.Paper
		if paper.Title == "" {
			continue
		}
		if i, known := place[paper.Title]; known {
			papers.Entries[i].Says += ", " + name
			continue
		}
		place[paper.Title] = len(papers.Entries)
		papers.Entries = append(papers.Entries, Entry{Name: paper.Title, Says: paper.Names() + ", " +
			strconv.Itoa(paper.Year) + ": " + name, URL: url})
	}
	return list, papers
}
