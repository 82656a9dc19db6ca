package components

import (
	"math"
	"strconv"
	"strings"
)

// Scatter compares a mechanism's map with its influence, pair by pair. The zero Scatter is not
// shown.
type Scatter struct {
	Rank         string // "rank correlation 0.62 over 361 pairs", or why there is none
	Points       []ScatterPoint
	Cells        []int // cell of each point: row·Words + column
	Words        int
	X, Y         string // titles of the axes
	MostX, MostY string // ends of the axes
	Outliers     []Outlier
	Says         []string // sentences, including the outliers
	Exact        Link     // replaces the estimate with exact values; can be empty
}

// ScatterPoint is a position 0…1 along both axes.
type ScatterPoint struct{ X, Y float64 }

// Outlier is a point with a text.
type Outlier struct {
	ScatterPoint
	Says string
}

// scatterSide is the side of the plot in its own units.
const scatterSide = 200

func (p ScatterPoint) at() (x, y int) {
	return int(math.Round(p.X * scatterSide)), scatterSide - int(math.Round(p.Y*scatterSide))
}

func (p ScatterPoint) x() string { x, _ := p.at(); return strconv.Itoa(x) }
func (p ScatterPoint) y() string { _, y := p.at(); return strconv.Itoa(y) }

// dots returns all points as one line of dots, each position once, and the cells at each position,
// separated by spaces.
func (s Scatter) dots() (path, cells string) {
	var line strings.Builder
	var places [][]string
	index := map[[2]int]int{}
	for i, p := range s.Points {
		x, y := p.at()
		at, drawn := index[[2]int{x, y}]
		if !drawn {
			at = len(places)
			index[[2]int{x, y}], places = at, append(places, nil)
			line.WriteString("M" + strconv.Itoa(x) + " " + strconv.Itoa(y) + "h0")
		}
		places[at] = append(places[at], strconv.Itoa(s.Cells[i]))
	}
	list := make([]string, len(places))
	for i, of := range places {
		list[i] = strings.Join(of, ",")
	}
	return line.String(), strings.Join(list, " ")
}
