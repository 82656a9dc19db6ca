package components

// Filter are the controls of what is set aside of maps.
type Filter struct {
	Selects []Select
	On      bool // something is set aside
}
