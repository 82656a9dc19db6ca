package huggingface

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"attnatlas/engine/ad"
	"attnatlas/engine/messages"
	"attnatlas/engine/tensor"
)

// scaling describes how rotary waves are stretched, so that a model can read longer texts than
// those in its training.
type scaling struct {
	Type     string // type of waves; empty: default
	Factor   float64
	Original int     // longest text before stretching
	Low      float64 // waves per Original below which all are stretched (Llama 3)
	High     float64 // waves per Original above which none are stretched
	// Options of YaRN (Peng et al. 2023, arXiv:2309.00071): the factor of queries and keys, or its
	// parts, and the numbers of waves between which stretching begins.
	Magnitude, Mscale, MscaleAll float64
	Fast, Slow                   float64
	Truncate                     bool
	// Stretching of each wave up to Original, and beyond (Ding et al. 2024, arXiv:2402.13753).
	Short, Long []float64
}

// waveTypes are the supported values of rope_type.
var waveTypes = []string{"default", "linear", "dynamic", "llama3", "yarn", "longrope"}

// turning returns the number of rotating features of a head.
func (f *Form) turning() int {
	switch {
	case f.RotaryWidth > 0:
		return f.RotaryWidth
	case f.RotaryPart > 0:
		return int(float64(f.headWidth()) * f.RotaryPart)
	}
	return f.headWidth()
}

// checkWaves rejects unsupported rotary positions.
func (c *Config) checkWaves() error {
	f, r := &c.Form, &c.Form.Rope
	if f.Theta == 0 {
		return nil
	}
	if r.Type == "" {
		r.Type = "default"
	}
	half := f.turning() / 2
	switch {
	case !slices.Contains(waveTypes, r.Type):
		return messages.Errorf("huggingface.field", "field", c.field("rope.type"), "value", messages.Quote(r.Type), "right",
			messages.List(waveTypes))
	case len(f.NoRotary) > 0 && len(f.NoRotary) != f.Layers:
		return messages.Errorf("huggingface.kinds", "field", c.field("no_rotary"), "kinds", len(f.NoRotary),
			"layers", f.Layers)
	case f.Theta <= 1 || f.LocalTheta < 0 || f.LocalTheta > 0 && f.LocalTheta <= 1:
		return messages.Errorf("huggingface.positive", "field", c.field("theta"), "value", fmt.Sprint(f.Theta))
	case r.Original < 0:
		return messages.Errorf("huggingface.positive", "field", c.field("rope.original"), "value", fmt.Sprint(r.Original))
	case r.Type == "longrope" && (len(r.Short) != half || len(r.Long) != half):
		return messages.Errorf("huggingface.kinds", "field", c.field("rope.long"), "kinds", min(len(r.Short), len(r.Long)),
			"layers", half)
	}
	if r.Original == 0 {
		r.Original = f.Length
	}
	if r.Factor == 0 && (r.Type == "yarn" || r.Type == "longrope") {
		r.Factor = float64(f.Length) / float64(r.Original)
	}
	if r.Type != "default" && r.Factor <= 0 || r.Type == "llama3" && (r.Low <= 0 || r.High <= r.Low) {
		return messages.Errorf("huggingface.positive", "field", c.field("rope.factor"), "value", fmt.Sprint(r.Factor))
	}
	return nil
}

// rates returns the angles by which waves rotate from one position to the next in a text of n
// tokens, and the factor of cos and sin. The library computes them in float32. This code does so as
// well, because long texts depend on it.
func (f *Form) rates(local bool, n int) (rates []float64, magnitude float64) {
	theta, r, width := f.Theta, f.Rope, f.turning()
	if local && f.LocalTheta > 0 {
		theta, r = f.LocalTheta, scaling{}
	}
	if r.Type == "dynamic" {
		longest := float64(max(n, f.Length))
		theta *= math.Pow(r.Factor*longest/float64(f.Length)-(r.Factor-1), float64(width)/float64(width-2))
	}
	rates, magnitude = make([]float64, width/2), 1
	for i := range rates {
		rates[i] = single(1 / single(math.Pow(theta, single(2*float64(i)/float64(width)))))
	}
	switch r.Type {
	case "linear":
		for i := range rates {
			rates[i] /= r.Factor
		}
	case "llama3":
		r.bend(rates)
	case "yarn":
		magnitude = r.yarn(rates, theta)
	case "longrope":
		magnitude = r.longrope(rates, n)
	}
	for i := range rates {
		rates[i] = single(rates[i])
	}
	return rates, magnitude
}

// single rounds x to float32.
func single(x float64) float64 { return float64(float32(x)) }

// bend stretches slow waves (Dubey et al. 2024, arXiv:2407.21783).
func (r *scaling) bend(rates []float64) {
	for i, rate := range rates {
		waves := float64(r.Original) * rate / (2 * math.Pi)
		share := min(max((waves-r.Low)/(r.High-r.Low), 0), 1)
		rates[i] = (1-share)*rate/r.Factor + share*rate
	}
}

// yarn stretches slow waves, and returns the factor of cos and sin.
func (r *scaling) yarn(rates []float64, theta float64) float64 {
	width := float64(2 * len(rates))
	feature := func(waves float64) float64 {
		return width * math.Log(float64(r.Original)/(waves*2*math.Pi)) / (2 * math.Log(theta))
	}
	fast, slow := r.Fast, r.Slow
	if fast == 0 {
		fast = 32
	}
	if slow == 0 {
		slow = 1
	}
	low, high := feature(fast), feature(slow)
	if r.Truncate {
		low, high = math.Floor(low), math.Ceil(high)
	}
	low, high = max(low, 0), min(high, width-1)
	if low == high {
		high += 0.001
	}
	for i, rate := range rates {
		share := min(max((float64(i)-low)/(high-low), 0), 1)
		rates[i] = rate/r.Factor*share + rate*(1-share)
	}
	size := func(m float64) float64 {
		if r.Factor <= 1 {
			return 1
		}
		return 0.1*m*math.Log(r.Factor) + 1
	}
	switch {
	case r.Magnitude > 0:
		return r.Magnitude
	case r.Mscale > 0 && r.MscaleAll > 0:
		return size(r.Mscale) / size(r.MscaleAll)
	}
	return size(1)
}

// longrope stretches each wave by its own factor.
func (r *scaling) longrope(rates []float64, n int) float64 {
	by := r.Short
	if n > r.Original {
		by = r.Long
	}
	for i := range rates {
		rates[i] /= by[i]
	}
	switch {
	case r.Magnitude > 0:
		return r.Magnitude
	case r.Factor <= 1:
		return 1
	}
	return math.Sqrt(1 + math.Log(r.Factor)/math.Log(float64(r.Original)))
}

// rotary rotates queries and keys by their positions.
type rotary struct {
	form     *Form
	local    bool
	mu       sync.Mutex
	sin, cos *tensor.T // [N,turning/2] for the longest text so far
}

// turn rotates the rows of x [N,d], with this many heads, by their positions from from on, in a
// text of n tokens.
func (r *rotary) turn(x *ad.Var, heads, from, n int) *ad.Var {
	cos, sin := r.waves(n)
	half, to := cos.Dim(1), from+x.Dim(-2)
	part := func(t *tensor.T) *tensor.T { return tensor.From(t.Data[from*half:to*half], to-from, half) }
	if r.form.Interleaved {
		return ad.RotatePairs(x, heads, part(cos), part(sin))
	}
	return ad.Rotate(x, heads, part(cos), part(sin))
}

// waves returns cos and sin for at least n positions.
func (r *rotary) waves(n int) (cos, sin *tensor.T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	depends := r.form.Rope.Type == "dynamic" || r.form.Rope.Type == "longrope"
	if r.cos != nil && (r.cos.Dim(0) == n || !depends && r.cos.Dim(0) > n) {
		return r.cos, r.sin
	}
	rates, magnitude := r.form.rates(r.local, n)
	r.cos, r.sin = tensor.New(n, len(rates)), tensor.New(n, len(rates))
	for p := range n {
		for i, rate := range rates {
			s, c := math.Sincos(single(float64(p) * rate))
			r.cos.Data[p*len(rates)+i], r.sin.Data[p*len(rates)+i] = tensor.Elem(c*magnitude), tensor.Elem(s*magnitude)
		}
	}
	return r.cos, r.sin
}
