package web

// familyOf is the family that a mechanism or a stack belongs to: family.ID is its name.
func familyOf(e mechanism) string {
	if e.Stack != nil {
		return "stacks"
	}
	return string(e.Family)
}

// family are the mechanisms of a family, in the order of the catalogue.
type family struct {
	id   string
	list []mechanism
}

// families are those of the server, in the order of their first member.
func (s *Server) families() []family {
	var all []family
	at := map[string]int{}
	for _, e := range s.mechanisms {
		id := familyOf(e)
		if _, known := at[id]; !known {
			at[id] = len(all)
			all = append(all, family{id: id})
		}
		all[at[id]].list = append(all[at[id]].list, e)
	}
	return all
}
