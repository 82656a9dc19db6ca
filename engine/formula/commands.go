package formula

// letters maps commands to variables. Capital letters are upright.
var letters = map[string]string{
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "kappa": "κ", "lambda": "λ", "mu": "μ",
	"xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ", "psi": "ψ", "omega": "ω",
	"Delta": "Δ", "Sigma": "Σ", "Phi": "Φ", "Omega": "Ω", "infty": "∞", "ell": "ℓ", "top": "ᵀ",
}

// signs maps commands to operators and relations.
var signs = map[string]string{
	"cdot": "·", "circ": "∘", "times": "×", "ldots": "…", "dots": "…", "cdots": "⋯",
	"le": "≤", "ge": "≥", "ne": "≠", "approx": "≈", "in": "∈", "notin": "∉", "cup": "∪", "cap": "∩",
	"lor": "∨", "land": "∧", "to": "→", "gets": "←", "mapsto": "↦", "partial": "∂", "ast": "∗",
}

// big maps commands to operators whose limits are below or next to them.
var big = map[string]string{"sum": "∑", "prod": "∏"}

// words maps commands to functions that are written by their name.
var words = map[string]string{
	"log": "log", "exp": "exp", "min": "min", "max": "max", "arg": "arg", "tanh": "tanh", "bmod": "mod", "mod": "mod",
}

// fences maps opening brackets to closing brackets; a bar closes itself.
var fences = map[string]string{"(": ")", "[": "]", "{": "}", "⌊": "⌋", "⌈": "⌉", "⟨": "⟩", "|": "|", "‖": "‖"}

// fenceCommands maps commands to brackets.
var fenceCommands = map[string]string{
	"{": "{", "}": "}", "lVert": "‖", "rVert": "‖", "Vert": "‖", "lvert": "|", "rvert": "|",
	"lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "langle": "⟨", "rangle": "⟩",
}

// accents maps commands to marks above a letter, with the combining character of plain text.
var accents = map[string]mark{"bar": {"¯", "\u0304"}, "hat": {"ˆ", "\u0302"}, "tilde": {"˜", "\u0303"}}

type mark struct{ above, combining string }

// relations are surrounded by blanks in plain text, like + and −.
const relations = "=≤≥≠≈∈∉∪∩∨∧→←↦<>+−∗×"

// binary lists the signs between two operands.
const binary = relations + "/·∘,;:…⋯∂!%⊤⊥⊙"

const (
	subSigns = "₀0₁1₂2₃3₄4₅5₆6₇7₈8₉9ₐaₑeₕhᵢiⱼjₖkₗlₘmₙnₒoₚpᵣrₛsₜtᵤuᵥvₓxᵦβ₊+₋−₍(₎)"
	supSigns = "⁰0¹1²2³3⁴4⁵5⁶6⁷7⁸8⁹9ᵀᵀᴸLᴺNᴴHᴰDᴷKᴿRᵈdᵏkᵐmⁿnʰhʲjˡlʳrˢsᵗtˣ×⁺+⁻−⁽(⁾)"
)

// subscripts and superscripts map lowered and raised characters to normal ones. lowered and raised are the inverse
// maps.
var (
	subscripts, lowered  = pairs(subSigns)
	superscripts, raised = pairs(supSigns)
)

// pairs builds both maps from pairs of a raised or lowered character and its normal form.
func pairs(s string) (read, write map[rune]rune) {
	runes := []rune(s)
	read, write = map[rune]rune{}, map[rune]rune{}
	for i := 0; i+1 < len(runes); i += 2 {
		read[runes[i]], write[runes[i+1]] = runes[i+1], runes[i]
	}
	return read, write
}
