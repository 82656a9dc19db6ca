// Package formula typesets the formulas of mechanisms: as MathML Core for pages, and as plain text with Unicode
// mathematics elsewhere. A formula is written once, in this part of TeX's mathematics:
//
//	a_i  a^2  a_{ij}  a'             scripts and primes
//	\frac{a}{b}  \tfrac12            fractions
//	\sqrt{a}  \bar a  \hat a         roots and accents
//	\mathrm{softmax}  \text{if }     names and words, upright
//	( )  [ ]  \{ \}  | |  \lVert \rVert  \lfloor \rfloor  \lceil \rceil
//	\alpha …  \sum  \circ  \le …     letters and signs, see commands.go
//	\,                               a thin space
//	\quad                            ends a clause: a line may break here
//
// Unicode characters are accepted, too: "PFᵀ", "R₁", "‖C‖", "√d_h" and "Σⱼ φ(kⱼ)". Two or more lower-case letters
// in a row are a word.
package formula
