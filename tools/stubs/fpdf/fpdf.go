// Package fpdf has the types with which gonum.org/v1/plot/vg/vgpdf draws, and writes nothing.
package fpdf

import (
	"errors"
	"io"
)

// Fpdf is a document without content.
type Fpdf struct{}

// SizeType is the size of a page.
type SizeType struct{ Wd, Ht float64 }

// InitType holds the settings of a document.
type InitType struct {
	UnitStr string
	Size    SizeType
}

// ImageOptions holds the settings for reading an image.
type ImageOptions struct {
	ImageType string
	ReadDpi   bool
}

// FontDescType describes a font.
type FontDescType struct{ Ascent, Descent int }

// NewCustom returns a document without content.
func NewCustom(*InitType) *Fpdf { return &Fpdf{} }

// MakeFont returns errors.ErrUnsupported.
func MakeFont(_, _, _ string, _ io.Writer, _ bool) error { return errors.ErrUnsupported }

// Output returns errors.ErrUnsupported.
func (*Fpdf) Output(io.Writer) error { return errors.ErrUnsupported }

// The document has no pages, fonts or images, and drawing changes nothing.

func (*Fpdf) AddFontFromBytes(_, _ string, _, _ []byte)                                          {}
func (*Fpdf) AddPage()                                                                           {}
func (*Fpdf) Arc(_, _, _, _, _, _, _ float64, _ string)                                          {}
func (*Fpdf) CellFormat(_, _ float64, _, _ string, _ int, _ string, _ bool, _ int, _ string)     {}
func (*Fpdf) Close()                                                                             {}
func (*Fpdf) ClosePath()                                                                         {}
func (*Fpdf) CurveBezierCubicTo(_, _, _, _, _, _ float64)                                        {}
func (*Fpdf) CurveTo(_, _, _, _ float64)                                                         {}
func (*Fpdf) DrawPath(string)                                                                    {}
func (*Fpdf) GetCellMargin() float64                                                             { return 0 }
func (*Fpdf) GetFontDesc(_, _ string) FontDescType                                               { return FontDescType{} }
func (*Fpdf) GetFontSize() (points, units float64)                                               { return 0, 0 }
func (*Fpdf) GetStringWidth(string) float64                                                      { return 0 }
func (*Fpdf) ImageOptions(_ string, _, _, _, _ float64, _ bool, _ ImageOptions, _ int, _ string) {}
func (*Fpdf) LineTo(_, _ float64)                                                                {}
func (*Fpdf) MoveTo(_, _ float64)                                                                {}
func (*Fpdf) PageNo() int                                                                        { return 0 }
func (*Fpdf) RegisterImageOptionsReader(string, ImageOptions, io.Reader)                         {}
func (*Fpdf) SetAlpha(float64, string)                                                           {}
func (*Fpdf) SetDashPattern([]float64, float64)                                                  {}
func (*Fpdf) SetDrawColor(_, _, _ int)                                                           {}
func (*Fpdf) SetFillColor(_, _, _ int)                                                           {}
func (*Fpdf) SetFont(_, _ string, _ float64)                                                     {}
func (*Fpdf) SetLineWidth(float64)                                                               {}
func (*Fpdf) SetMargins(_, _, _ float64)                                                         {}
func (*Fpdf) SetTextColor(_, _, _ int)                                                           {}
func (*Fpdf) TransformBegin()                                                                    {}
func (*Fpdf) TransformEnd()                                                                      {}
func (*Fpdf) TransformRotate(_, _, _ float64)                                                    {}
func (*Fpdf) TransformScale(_, _, _, _ float64)                                                  {}
func (*Fpdf) TransformTranslate(_, _ float64)                                                    {}
