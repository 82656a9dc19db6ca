package address

import (
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"attnatlas/engine"
	"attnatlas/engine/exhibit"
	"attnatlas/engine/fault"
	"attnatlas/engine/figure"
	"attnatlas/engine/nn"
	"attnatlas/engine/tokenizer"

	"pgregory.net/rapid"
)

// texts are texts that codecs of other programs have damaged.
var texts = []string{
	"", "0", "false", "null", "mean", "a&b=c", "a#b", "1+1", "100%", "100%25", "a?b", "a;b", "a b", " ", "+", "%zz",
	"🙂👩‍👩‍👧", "שלום עולם", "\u202Eabc", "a\x00b", "\xff\xfe", "\xe2\x82", "a\nb", "a\r\nb", "\t", "今天", DefaultText,
	"<script>alert(1)</script>", `"'` + "`", strings.Repeat("x", 3000),
}

func genState() *rapid.Generator[State] {
	head := rapid.IntRange(exhibit.Auto, 5)
	number := rapid.OneOf(rapid.Just(0), rapid.IntRange(1, 12), rapid.Just(maxNumber))
	return rapid.Custom(func(t *rapid.T) State {
		s := State{
			Text: rapid.OneOf(rapid.SampledFrom(texts), rapid.String(),
				rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text"),
			Mechanisms: rapid.OneOf(
				rapid.Just(Default().Mechanisms),
				rapid.SliceOfNDistinct(rapid.StringMatching(`[^,]+`), 1, 5, rapid.ID[string]),
			).Draw(t, "m"),
			Choice: exhibit.Choice{
				Layer: number.Draw(t, "layer"),
				Head:  head.Draw(t, "head"),
				Show:  rapid.SampledFrom(exhibit.Shows()).Draw(t, "show"),
				Norm:  rapid.SampledFrom(figure.Norms()).Draw(t, "norm"),
				Filter: exhibit.Filter{
					Sinks: rapid.SampledFrom([]exhibit.Sinks{exhibit.SinksShown, exhibit.SinksAside}).Draw(t, "sinks"),
					Mass:  float64(rapid.IntRange(0, 9999).Draw(t, "mass")) / 10000,
					Top:   number.Draw(t, "top"),
				},
			},
			Cmap:    rapid.SampledFrom(figure.Palettes()).Draw(t, "cmap"),
			Mask:    rapid.SampledFrom([]nn.MaskKind{nn.NoMask, nn.Causal}).Draw(t, "mask"),
			Theme:   rapid.SampledFrom(Themes).Draw(t, "theme"),
			Draw:    rapid.SampledFrom(Draws).Draw(t, "draw"),
			Step:    number.Draw(t, "step"),
			Walk:    number.Draw(t, "walk"),
			Race:    rapid.SampledFrom([]int{0, 1, 7, EveryWord}).Draw(t, "race"),
			Other:   rapid.SampledFrom(append([]string{""}, texts...)).Draw(t, "other"),
			Compute: Fast,
			From:    rapid.SampledFrom(append([]string{"m=dense&text=a%26b"}, texts...)).Draw(t, "from"),
			Example: rapid.SampledFrom([]string{"", "quoted-speech", "?&="}).Draw(t, "example"),
		}
		if rapid.Bool().Draw(t, "pinned") {
			s.Pin = Pin{Row: rapid.IntRange(1, 600).Draw(t, "row"), Col: rapid.IntRange(0, 600).Draw(t, "col")}
			if last := s.Pin.Row + rapid.IntRange(1, 9).Draw(t, "more"); s.Pin.Col == 0 {
				s.Pin.Last = rapid.SampledFrom([]int{0, last}).Draw(t, "last")
			}
		}
		own := rapid.MapOfN(rapid.SampledFrom([]string{"dense", "albert.linformer", "random"}), head, 0, 3).Draw(t, "own")
		if maps.DeleteFunc(own, func(_ string, h int) bool { return h == s.Head }); len(own) > 0 { // others go
			s.Heads = own
		}
		s.Cuts = genCuts().Draw(t, "cuts")
		if rapid.Bool().Draw(t, "masked") {
			s.Text = "The [MASK] sat on [MASK][MASK][MASK]"
			s.Was = rapid.SampledFrom([][]string{{"cat", "recondite"}, {"", "recondite"}, {"猫", "", "", "mat"},
				nil}).Draw(t, "was")
		}
		return s
	})
}

// read returns the state of a URL, and all its errors.
func read(raw string) (State, error) {
	v, bad := ParseQuery(raw)
	s, wrong := Decode(v, tokenizer.Default(), "")
	return s, Join(bad, wrong, Unknown(v))
}

func TestStateSurvivesItsURL(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := genState().Draw(t, "state")
		raw := Encode(want).Encode()
		got, err := read(raw)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q:\ngot  %#v, %v\nwant %#v", raw, got, err, want)
		}
		if again := Encode(got).Encode(); again != raw {
			t.Fatalf("not canonical: %q, then %q", raw, again)
		}
	})
}

func TestDefaultStateHasNoParameters(t *testing.T) {
	if v := Encode(Default()); len(v) != 0 {
		t.Errorf("the default state is encoded as %v", v)
	}
	if s, err := read(""); err != nil || !reflect.DeepEqual(s, Default()) {
		t.Errorf("no parameters give %#v, %v", s, err)
	}
}

// TestPagesHaveTheirOwnDefaultText: the default text of the encoder–decoder is short; a URL without
// a text means that of its page.
func TestPagesHaveTheirOwnDefaultText(t *testing.T) {
	for id, want := range map[string]string{"encoder-decoder": DefaultSource, "encoder-decoder.linear": DefaultSource,
		"dense": DefaultText, "bert": DefaultText, "": DefaultText} {
		s, bad := Decode(url.Values{}, tokenizer.Default(), id)
		if s.Text != want || len(bad) > 0 {
			t.Errorf("%s: %q, %v", id, s.Text, bad)
		}
		if got := Mechanism(s, id); id != "" && got != "/m/"+id {
			t.Errorf("the page %s is at %s", id, got)
		}
	}
}

// TestEveryParameterIsInTheTable: each key is read and written by its own entry, for every value
// that a page offers.
func TestEveryParameterIsInTheTable(t *testing.T) {
	samples := map[string][]string{Text: {"x y"}, Mechanisms: {"dense,random"}, Layer: {"2"}, Head: {"3"}, PinKey: {"4.7"},
		Mass: {"0.9", "0.0001"}, Top: {"5"}, Step: {"2"}, Example: {"quoted-speech"}, Walk: {"3"},
		From: {"layer=2&text=my+own+words", "?"}, Large: {"dense"}, Present: {"1"}, Compact: {"1"}, Other: {"z y"},
		Task: {"reverse", "sort"}, Exact: {"1"}, CutKey: {"word:5", "head:2.3", "cell:4.7",
			"word:1,word:5,head:2.3,cell:4.7,cell:2.all.4.7,cell:2.3.4.7"}, Race: {"1", "3", "all"}, After: {"512", "0"},
		Compute: {Fast}, Was: {"cat"}}
	for _, key := range Keys() {
		values := samples[key]
		if key != Was && Values(key) != nil {
			values = Values(key)
		}
		if len(values) == 0 {
			t.Errorf("this test knows no value of %s", key)
		}
		for _, value := range values {
			v := url.Values{key: {value}}
			if key == Was {
				v.Set(Text, "a [MASK]")
			}
			s, err := read(v.Encode())
			if err != nil {
				t.Errorf("%s=%s: %v", key, value, err)
			}
			if key != Was && s.Value(key) != value {
				t.Errorf("%s=%s is written %s", key, value, s.Value(key))
			}
			usual := key != Was && value == Default().Value(key)
			if got := Encode(s); !usual && !reflect.DeepEqual(got, v) || usual && len(got) > 0 {
				t.Errorf("%s=%s is written %v", key, value, got)
			}
		}
	}
}

func TestDecodeExplains(t *testing.T) {
	for _, c := range []struct{ query, want string }{
		{"layer=0", `layer=“0” must be a whole number from 1`},
		{"layer=-1", `layer=“-1”`},
		{"layer=1.5", `layer=“1.5”`},
		{"layer=1e3", `layer=“1e3”`},
		{"layer=+1", `layer=“ 1”`},
		{"layer=007", `layer=“007”`},
		{"layer=", `layer=“”`},
		{"layer=99999999999999999999999", "from 1 to 1000000"},
		{"head=-1", `head=“-1” must be auto, mean or a whole number from 1`},
		{"head=abc", "must be auto, mean or"},
		{"head=0", "must be auto, mean or"},
		{"head=MEAN", "must be auto, mean or"},
		{"dense.head=x", `dense.head=“x” must be auto, mean`},
		{"densy.head=2", `unknown parameter “densy.head”`},
		{"dense.head=2&dense.head=3", "dense.head is given 2 times"},
		{"norm=loud", "norm=“loud” must be one of absolute, map, row, log, uniform, shared"},
		{"cmap=jet", "cividis, viridis, magma, greys, ink"},
		{"mask=padding", "none, causal"},
		{"show=telepathy", "show=“telepathy” must be one of maps, influence"},
		{"show=influence&show=maps", "show is given 2 times"},
		{"theme=blue", "auto, light, dark"},
		{"mass=1", "must be a number between 0 and 1"},
		{"mass=0", "must be a number between 0 and 1"},
		{"mass=-0.5", "must be a number between 0 and 1"},
		{"mass=NaN", "must be a number between 0 and 1"},
		{"mass=.9", "for example mass=0.9"},
		{"mass=0.90", "for example mass=0.9"},
		{"mass=0.12345", "at most 4 decimals"},
		{"top=0", "for example top=2"},
		{"sinks=away", "must be one of shown, aside"},
		{"pin=x", "for example pin=4, pin=4-6 or pin=4.7"},
		{"pin=0", "for example pin=4, pin=4-6 or pin=4.7"},
		{"pin=1.", "for example pin=4, pin=4-6 or pin=4.7"},
		{"pin=0.1", "for example pin=4, pin=4-6 or pin=4.7"},
		{"pin=5-3", "for example pin=4, pin=4-6 or pin=4.7"},
		{"pin=1.2.3", "for example pin=4, pin=4-6 or pin=4.7"},
		{"m=", "name at least one mechanism"},
		{"cut=word:0", `“word:0” in cut must be word:5, head:2.3`},
		{"cut=word:5,tail:1", `“tail:1” in cut`},
		{"dense.cut=cell:4", `“cell:4” in dense.cut`},
		{"densy.cut=word:1", `unknown parameter “densy.cut”`},
		{"cut=" + manyWords(17), "cut ablates 17 words, heads and cells, limit 16"},
		{"cut=" + manyWords(16) + "&dense.cut=head:1.1", "dense.cut ablates 17 words"},
		{"cut=word:1&cut=x%00", "in cut must be word:5"},
		{"m=,,", "name at least one mechanism"},
		{"m=" + strings.Repeat("a,", 3) + manyIDs(40), "limit 32"},
		{"layer=1&layer=2", "layer is given 2 times"},
		{"text=a&text=b", "text is given 2 times"},
		{"lyer=2", `unknown parameter “lyer”; known parameters: text, m, show, layer, head, norm, sinks, mass, top, cmap, mask, task, theme, draw, arrange, special, pin, step, example, walk, from, large, present, race, compact, other, exact, cut, after, compute, was.`},
		{"race=x", `race=“x” must be all or the number of a masked word`},
		{"race=-1", "for example race=1"},
		{"after=-1", `after=“-1” must be a whole number from 0`},
		{"after=007", "for example after=512"},
		{"layer=x&head=y", `head=“y”`},
		{"norm=" + strings.Repeat("n", 5000), "…"},
	} {
		_, err := read(c.query)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60s: got %v, want … %s …", c.query, err, c.want)
			continue
		}
		if fault.KindOf(err) != fault.Invalid || len(err.Error()) > 600 {
			t.Errorf("%.60s: kind %v, %d bytes", c.query, fault.KindOf(err), len(err.Error()))
		}
	}
}

func manyIDs(n int) string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = strings.Repeat("x", i+1)
	}
	return strings.Join(ids, ",")
}

func TestMechanismsFromCheckboxes(t *testing.T) {
	s, err := read("m=dense&m=random&m=dense,linear")
	if want := []string{"dense", "random", "linear"}; err != nil || !slices.Equal(s.Mechanisms, want) {
		t.Errorf("got %v, %v; want %v", s.Mechanisms, err, want)
	}
}

func TestBadEscapeKeepsTheText(t *testing.T) {
	v, bad := ParseQuery("text=100%+sure&layer=2")
	if v.Get("text") != "100% sure" || v.Get("layer") != "2" || len(bad) != 1 {
		t.Errorf("got %q, %v", v, bad)
	}
	if v, bad := ParseQuery("text=a;b"); v.Get("text") != "a;b" || len(bad) != 0 {
		t.Errorf("a semicolon gives %q, %v", v, bad)
	}
}

func FuzzDecode(f *testing.F) {
	for _, text := range texts {
		f.Add(url.Values{"text": {text}}.Encode())
	}
	f.Add("text=100%&layer=-1&head=mean&dense.head=2&random.head=auto&gpt2.head=mean&m=a,b&m=c&pin=4.7")
	f.Add("cut=word:5,head:2.3,,word:5&cut=cell:4.7&dense.cut=word:5,cell:2.all.4.7&gpt2.cut=word:+1")
	f.Fuzz(func(t *testing.T, raw string) {
		s, err := read(raw)
		if len(s.Mechanisms) == 0 || s.Theme == "" {
			t.Fatalf("%q: a default is missing: %#v", raw, s)
		}
		if err != nil && (fault.KindOf(err) != fault.Invalid || err.Error() == "") {
			t.Fatalf("%q: %v", raw, err)
		}
		if back, err := read(Encode(s).Encode()); err != nil || !reflect.DeepEqual(back, s) {
			t.Fatalf("%q: %#v becomes %#v, %v", raw, s, back, err)
		}
	})
}

// TestAll: all expands to every mechanism and architecture once, next to other names as well, and
// the whole catalogue is written as all. Memory claims and cache keys use the ids.
func TestAll(t *testing.T) {
	want := slices.Concat(engine.IDs(), engine.StackIDs())
	s, err := read("m=all")
	if err != nil || !slices.Equal(s.Mechanisms, want) || len(want) < 27 {
		t.Fatal(s.Mechanisms, err)
	}
	for _, raw := range []string{"m=all", "m=" + strings.Join(want, ","), "m=all&m=all", "m=" + want[0] + ",all"} {
		s, err := read(raw)
		if got := Wall(s); err != nil || got != "/?m=all" {
			t.Error(raw, got, err)
		}
	}
	named, err := read("m=" + strings.Join(want, ","))
	if a, b := s.Request(), named.Request(); err != nil || !reflect.DeepEqual(a, b) {
		t.Error(a, b, err)
	}
	first, err := read("m=gpt2,all,bert.linformer")
	if err != nil || first.Mechanisms[0] != "gpt2" || len(first.Mechanisms) != len(want)+1 ||
		first.Mechanisms[len(want)] != "bert.linformer" {
		t.Error(first.Mechanisms, err)
	}
	if got := Wall(first); !strings.Contains(got, "m=gpt2%2C"+want[0]+"%2C") {
		t.Error(got)
	}
	for _, link := range []string{Attend(s, nil), Drawing(s, "", nil), Training(s)} {
		if v, _ := url.ParseQuery(link[strings.IndexByte(link, '?')+1:]); v.Get(Mechanisms) != All {
			t.Error(link)
		}
	}
}
