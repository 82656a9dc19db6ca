package web

import "attnatlas/web/address"

// Pages lists the paths of all pages that somebody may have a link to: whoever keeps them as files needs to know.
func (s *Server) Pages() []string {
	pages := []string{
		"/", "/gallery", "/m", "/compare", "/results", "/about", "/embedding", embedPath,
		address.ExplainPath, address.CostPath, address.ReachPath, address.StepsPath, address.DeskPath, address.HashingPath, address.ReversingPath, address.PonderingPath, "/take/wall",
	}
	for _, m := range s.mechanisms {
		pages = append(pages, "/m/"+m.ID, "/m/"+m.ID+"/source", "/take/"+m.ID)
	}
	return pages
}
