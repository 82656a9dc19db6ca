package mechanism

// DeletionTables are how much a model's answers need the word pieces that its maps point at. The zero
// DeletionTables are those of a model of which it was not measured.
type DeletionTables struct {
	Tables []DeletionTable
}

// DeletionTable is that of one classifier.
type DeletionTable struct {
	Intro string
	Heads []string // "mean", "head 1"
	Rows  []DeletionRow
}

// DeletionRow is one map of one layer: a share of right answers for each of Heads.
type DeletionRow struct {
	Label  string // "layer 1"
	Symbol string // of the map
	Shares []DeletionShare
}

// DeletionShare is the share of right answers without the piece that one head points at.
type DeletionShare struct {
	Text  string // "60.9 %"
	Least bool   // no other of the table is lower
}
