package site

// familyOf returns the family of a mechanism or stack. The message family.ID is its name.
func familyOf(e Mechanism) string {
	if e.Stack != nil {
		return "stacks"
	}
	return string(e.Family)
}

// Family is a family with its mechanisms, in the order of the catalogue.
type Family struct {
	Id   string
	List []Mechanism
}

// Families returns the families of the server, in the order of their first members.
func (s *Server) Families() []Family {
	var all []Family
	at := map[string]int{}
	for _, e := range s.Mechanisms {
		id := familyOf(e)
		if _, known := at[id]; !known {
			at[id] = len(all)
			all = append(all, Family{Id: id})
		}
		all[at[id]].List = append(all[at[id]].List, e)
	}
	return all
}
