package formula

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// TestText: formulas as plain text.
func TestText(t *testing.T) {
	for in, want := range map[string]string{
		`A = \mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_h}}\right)`: "A = softmax(QKᵀ/√dₕ)",
		`A = softmax(Q·Kᵀ/√d_h)`:                                      "A = softmax(Q·Kᵀ/√dₕ)",
		`PFᵀ`:                                                         "PFᵀ",
		`R₁R₂ᵀ`:                                                       "R₁R₂ᵀ",
		`A⁽ʳ⁾`:                                                        "A⁽ʳ⁾",
		`A^{(r)}`:                                                     "A⁽ʳ⁾",
		`‖C‖`:                                                         "‖C‖",
		`P·pool`:                                                      "P·pool",
		`S_{ij} = -10^9 \text{ where forbidden}`:                      "S\u1d62\u2c7c = −10⁹ where forbidden",
		`Q'_G = X_GW_{Q'}^\top + b_{Q'}`:                              "Q_G′ = X_GW_{Q′}ᵀ + b_{Q′}",
		`g = \sum_n \alpha_n q_n \quad h = 2`:                         "g = Σₙ αₙqₙ,  h = 2",
		`y_i = \frac{\varphi(q_i)^\top \sum_j a_j}{\sum_j a_j}`: "yᵢ = (φ(qᵢ)ᵀ Σⱼ aⱼ)/(Σⱼ aⱼ)",
		`C_{ij} = A_{i,\lfloor j/b \rfloor}B_{i,j \bmod b}`:     "Cᵢⱼ = A_{i, ⌊j/b⌋}B_{i, j mod b}",
		`\bar K`:                         "K̄",
		`\min\{s : q, k \text{ meet}\}`:  "min{s:q, k meet}",
		`|i - j| \le w/2 \lor i \in G`:   "|i − j| ≤ w/2 ∨ i ∈ G",
		`W_gs + b_g + \tfrac12`:          "W_gs + b_g + 1/2",
		`2m − 1`:                         "2m − 1",
		`a^{n+1}`:                        "aⁿ⁺¹",
		`\tfrac{a + b}{c}`:               "(a + b)/c",
		`g = \sigma(x) + (1 − g)\circ c`: "g = σ(x) + (1 − g)∘c",
		`\log_2 N`:                       "log₂ N",
		`3.5`:                            "3.5",
		``:                               "",
	} {
		f, err := Parse(in)
		if err != nil {
			t.Error(err)
		} else if got := f.Text(); got != want {
			t.Errorf("%s reads\n%s, want\n%s", in, got, want)
		}
	}
}

func TestMathML(t *testing.T) {
	const name = "<mi>softmax</mi><mo>&#x2061;</mo>"
	for in, want := range map[string]string{
		`softmax(S)`:           `<mrow>` + name + `<mrow><mo form="prefix" stretchy="false">(</mo><mi>S</mi><mo form="postfix" stretchy="false">)</mo></mrow></mrow>`,
		`QK^\top`:              `<mrow><mi>Q</mi><msup><mi>K</mi><mi mathvariant="normal">T</mi></msup></mrow>`,
		`\sqrt{d_h}`:           `<mrow>` + radical + `<msub><mi>d</mi><mi>h</mi></msub></mrow>`,
		`√d_h`:                 `<mrow>` + radical + `<msub><mi>d</mi><mi>h</mi></msub></mrow>`,
		`\frac12`:              `<mrow><mn>1</mn>` + slash + `<mn>2</mn></mrow>`,
		`\sum_j a_j`:           `<mrow><munder><mo>∑</mo><mi>j</mi></munder><msub><mi>a</mi><mi>j</mi></msub></mrow>`,
		`\sum_{j=1}^n`:         `<munderover><mo>∑</mo><mrow><mi>j</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>`,
		`\bar K`:               `<mover accent="true"><mi>K</mi><mo stretchy="false">¯</mo></mover>`,
		`\min\{\text{if } a\}`: "<mrow><mi>min</mi><mrow><mo form=\"prefix\" stretchy=\"false\">{</mo><mtext>if\u00a0</mtext><mi>a</mi><mo form=\"postfix\" stretchy=\"false\">}</mo></mrow></mrow>",
		`a < b`:                `<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>`,
		`x_i'`:                 `<msubsup><mi>x</mi><mi>i</mi><mo>′</mo></msubsup>`,
		`[a; -b]`:              `<mrow><mo form="prefix" stretchy="false">[</mo><mi>a</mi><mo>;</mo><mo form="prefix">−</mo><mi>b</mi><mo form="postfix" stretchy="false">]</mo></mrow>`,
		`√(A + B)`:             `<mrow>` + radical + `<mrow><mo form="prefix" stretchy="false">(</mo><mi>A</mi><mo>+</mo><mi>B</mi><mo form="postfix" stretchy="false">)</mo></mrow></mrow>`,
		`\Sigma`:               `<mi mathvariant="normal">Σ</mi>`,
		`j \bmod b`:            `<mrow><mi>j</mi><mo>mod</mo><mi>b</mi></mrow>`,
	} {
		f, err := Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		got := f.MathML(Inline)
		_, inner, _ := strings.Cut(got, `<math alttext="`)
		if _, inner, _ = strings.Cut(inner, `">`); inner != want+"</math>" {
			t.Errorf("%s is\n%s, want\n%s", in, inner, want)
		}
		wellFormed(t, got)
	}
}

func TestBlockStacksFractionsAndStretchesBrackets(t *testing.T) {
	f, err := Parse(`s(\frac{a}{b})(c) \quad √d`)
	if err != nil {
		t.Fatal(err)
	}
	got := f.MathML(Block)
	for _, part := range []string{
		`<math displaystyle="true" alttext="s(a/b)(c)">`, `<mfrac><mi>a</mi><mi>b</mi></mfrac>`,
		`<mo form="prefix">(</mo><mfrac>`,
		`<mo form="prefix" stretchy="false">(</mo><mi>c</mi>`,
		`</math></span> <span class="clause"><math displaystyle="true" alttext="√d"><msqrt><mi>d</mi></msqrt>`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("no %s in\n%s", part, got)
		}
	}
	wellFormed(t, got)
}

// TestWordsAreText: words are outside of the mathematics, where a line can break.
func TestWordsAreText(t *testing.T) {
	f, err := Parse(`R \text{ trained, <b> of } k \text{ columns} \quad \text{or not}`)
	if err != nil {
		t.Fatal(err)
	}
	const want = `<span class="clause"><math alttext="R"><mi>R</mi></math> trained, &lt;b&gt; of <math alttext="k"><mi>k</mi></math> columns</span>` +
		` <span class="clause">or not</span>`
	if got := f.MathML(Inline); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}

func TestRefused(t *testing.T) {
	for in, why := range map[string]string{
		`\nonsense`: `no command \nonsense`, `a_`: "something is missing", `(a`: ") is missing", `a)`: "no place",
		`{a`:      "} is missing",
		`\text{a`: "} is missing", `\mathrm a`: "{ is missing", `a_b_c`: "second subscript", `<b>&`: "", `a $ b`: "“$” has no place",
		`(a \quad b)`: "a clause ends before )", `\`: "no command", strings.Repeat("(", 100): "levels",
		`a \frac b`: "missing", "🙂": "no place",
	} {
		_, err := Parse(in)
		if why == "" {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%.20q: %v, want %q", in, err, why)
		}
	}
}

// wellFormed checks that an XML document can be parsed.
func wellFormed(t *testing.T, s string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader("<x>" + s + "</x>"))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v in %s", err, s)
		}
	}
}

// FuzzParse: any input is refused or becomes well-formed MathML.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`A = \frac{a}{b}`, "<script>", `\text{<b>"&'}`, "a_{", "Σⱼ", "√", "\\", "a''^b_c",
		"\x00", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		read, err := Parse(s)
		if err != nil || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0xFFFD }) {
			return // characters that XML documents cannot contain
		}
		read.Text()
		wellFormed(t, read.MathML(Inline))
		wellFormed(t, read.MathML(Block))
	})
}
