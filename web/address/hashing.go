package address

import "net/url"

// The page that takes Reformer's hashing apart has keys of its own, beside those of a state.
const (
	HashingPath = "/hashing"
	HashRounds  = "rounds"
	HashSeed    = "seed"
	HashRound   = "round"
	HashTop     = "k"
)

// Hashing is what the page draws and looks at: of the layer and head of the state, following the word of the pinned row.
type Hashing struct {
	ID     string
	Rounds int // 0: those of the model
	Seed   int // of the directions; 0: those of the model
	Round  int // that is looked at, from 1; 0: the first
	Top    int // how many most attended words are looked for; 0: the usual number
}

// DecodeHashing reads what is asked. An empty field of the form is one that was not filled in.
func DecodeHashing(v url.Values, s State) (h Hashing, bad []ParamError) {
	d := decoder{values: v}
	number := func(key string) int {
		if v.Get(key) == "" && len(v[key]) == 1 {
			return 0
		}
		return d.number(key)
	}
	h = Hashing{ID: s.Mechanisms[0], Rounds: number(HashRounds), Seed: number(HashSeed), Round: number(HashRound), Top: number(HashTop)}
	return h, d.bad
}

// HashingOf is the address of the page, or under path of the data.
func HashingOf(path string, s State, h Hashing) string {
	v := alone(s, h.ID)
	for key, n := range map[string]int{HashRounds: h.Rounds, HashSeed: h.Seed, HashTop: h.Top} {
		if n > 0 {
			v.Set(key, count(n))
		}
	}
	if h.Round > 1 {
		v.Set(HashRound, count(h.Round))
	}
	return of(path, s, v)
}
