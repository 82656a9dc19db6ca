package formula

// letters are commands for variables. Capital ones stand upright.
var letters = map[string]string{
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "kappa": "κ", "lambda": "λ", "mu": "μ",
	"xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ", "psi": "ψ", "omega": "ω",
	"Delta": "Δ", "Sigma": "Σ", "Phi": "Φ", "Omega": "Ω", "infty": "∞", "ell": "ℓ", "top": "ᵀ",
}

// signs are commands for operators and relations.
var signs = map[string]string{
	"cdot": "·", "circ": "∘", "times": "×", "ldots": "…", "dots": "…", "cdots": "⋯",
	"le": "≤", "ge": "≥", "ne": "≠", "approx": "≈", "in": "∈", "notin": "∉", "cup": "∪", "cap": "∩",
	"lor": "∨", "land": "∧", "to": "→", "gets": "←", "mapsto": "↦", "partial": "∂", "ast": "∗",
}

// big are operators that take what they run over below or beside them.
var big = map[string]string{"sum": "∑", "prod": "∏"}

// words are commands for functions that are written as their name.
var words = map[string]string{
	"log": "log", "exp": "exp", "min": "min", "max": "max", "arg": "arg", "tanh": "tanh", "bmod": "mod", "mod": "mod",
}

// fences are brackets with what closes them; a bar closes itself.
var fences = map[string]string{"(": ")", "[": "]", "{": "}", "⌊": "⌋", "⌈": "⌉", "⟨": "⟩", "|": "|", "‖": "‖"}

// fenceCommands are brackets with a name.
var fenceCommands = map[string]string{
	"{": "{", "}": "}", "lVert": "‖", "rVert": "‖", "Vert": "‖", "lvert": "|", "rvert": "|",
	"lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "langle": "⟨", "rangle": "⟩",
}

// accents are marks above a letter, with the combining sign of plain text.
var accents = map[string]mark{"bar": {"¯", "\u0304"}, "hat": {"ˆ", "\u0302"}, "tilde": {"˜", "\u0303"}}

type mark struct{ above, combining string }

// relations stand between blanks in plain text; so do + and −.
const relations = "=≤≥≠≈∈∉∪∩∨∧→←↦<>+−∗×"

// binary are the signs that stand between two things.
const binary = relations + "/·∘,;:…⋯∂!%⊤⊥⊙"

const (
	subSigns = "₀0₁1₂2₃3₄4₅5₆6₇7₈8₉9ₐaₑeₕhᵢiⱼjₖkₗlₘmₙnₒoₚpᵣrₛsₜtᵤuᵥvₓxᵦβ₊+₋−₍(₎)"
	supSigns = "⁰0¹1²2³3⁴4⁵5⁶6⁷7⁸8⁹9ᵀᵀᴸLᴺNᴴHᴰDᴷKᴿRᵈdᵏkᵐmⁿnʰhʲjˡlʳrˢsᵗtˣ×⁺+⁻−⁽(⁾)"
)

// subscripts and superscripts read the signs; lowered and raised write them.
var (
	subscripts, lowered  = pairs(subSigns)
	superscripts, raised = pairs(supSigns)
)

// pairs reads a sign and what it stands for, again and again.
func pairs(s string) (read, write map[rune]rune) {
	runes := []rune(s)
	read, write = map[rune]rune{}, map[rune]rune{}
	for i := 0; i+1 < len(runes); i += 2 {
		read[runes[i]], write[runes[i+1]] = runes[i+1], runes[i]
	}
	return read, write
}
