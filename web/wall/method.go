package wall

import (
	"attnatlas/components"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/messages"
	"attnatlas/engine/method"
	"attnatlas/web/address"
)

// MethodView returns the description of a method, with the link to the page of a state that shows it.
func MethodView(l *messages.Language, m *method.Method, st address.State) components.MethodNote {
	if m == nil {
		return components.MethodNote{}
	}
	st.Show = exhibit.Show(m.Name)
	v := components.MethodNote{
		Name: l.Say(m.Label()), Formula: m.Formula, Text: l.Say(m.Text()),
		Show: components.Link{Label: l.T("about.method-link"), URL: address.Wall(st)},
	}
	if p := m.Paper; p.ArXiv != "" {
		v.Paper = components.Link{Label: p.Citation(), URL: "https://arxiv.org/abs/" + p.ArXiv}
	}
	return v
}
