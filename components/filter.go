package components

// FilterControls are the controls of filters, which exclude cells from the colours.
type FilterControls struct {
	Selects []Select
	On      bool // cells are excluded
}
