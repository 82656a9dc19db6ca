package site

// familyOf is the Family that a mechanism or a stack belongs to: family.ID is its name.
func familyOf(e Mechanism) string {
	if e.Stack != nil {
		return "stacks"
	}
	return string(e.Family)
}

// Family are the mechanisms of a Family, in the order of the catalogue.
type Family struct {
	Id   string
	List []Mechanism
}

// Families are those of the server, in the order of their first member.
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
