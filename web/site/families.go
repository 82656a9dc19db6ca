package site

// familyOf is the family that a mechanism or a stack belongs to: family.ID is its name.
func familyOf(e Mechanism) string {
	if e.Stack != nil {
		return "stacks"
	}
	return string(e.Family)
}

// family are the mechanisms of a family, in the order of the catalogue.
type family struct {
	Id   string
	List []Mechanism
}

// Families are those of the server, in the order of their first member.
func (s *Server) Families() []family {
	var all []family
	at := map[string]int{}
	for _, e := range s.Mechanisms {
		id := familyOf(e)
		if _, known := at[id]; !known {
			at[id] = len(all)
			all = append(all, family{Id: id})
		}
		all[at[id]].List = append(all[at[id]].List, e)
	}
	return all
}
