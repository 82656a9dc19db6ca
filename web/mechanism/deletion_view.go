package mechanism

// DeletionTables show how much a model's predictions depend on the tokens that its maps point at.
// The zero DeletionTables stand for a model without this measurement.
type DeletionTables struct {
	Tables []DeletionTable
}

// DeletionTable is the table of one classifier.
type DeletionTable struct {
	Intro string
	Heads []string // "mean", "head 1"
	Rows  []DeletionRow
}

// DeletionRow is one map of one layer: an accuracy for each of Heads.
type DeletionRow struct {
	Label  string // "layer 1"
	Symbol string // symbol of the map
	Shares []DeletionShare
}

// DeletionShare is the accuracy without the token that one head points at.
type DeletionShare struct {
	Text  string // "60.9 %"
	Least bool   // lowest value of the table
}
