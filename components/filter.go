package components

// FilterControls are the controls of what is set aside of maps.
type FilterControls struct {
	Selects []Select
	On      bool // something is set aside
}
