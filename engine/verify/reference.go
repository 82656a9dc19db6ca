package verify

import (
	"maps"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// reference is how our code is held against somebody else's: what is built for a case of
// it. What it calls its arrays stands in names.toml.
type reference struct {
	mechanism string                                       // the id of the mechanism that its cases are of; empty: of a stack, of a method, or of several
	table     string                                       // of names.toml; empty: the one called like the reference
	each      string                                       // the input [B,…] whose sequences are run one at a time; empty: the batch is run at once
	build     func(r *run) forward                         // makes our model for the sequence r.b
	limit     func(c *Case, name string, rule limit) limit // what may differ otherwise than by the rule; nil: nothing
	after     func(r *run)                                 // files what is made of the mixers' calls, r.calls; nil: nobody notes them
}

// references are those that this program knows.
var references = map[string]reference{
	"seed003_vanilla":      seed(attention.DotProduct),
	"seed003_random":       seed(attention.Random),
	"seed003_fixed_random": seed(attention.FixedRandom),
	"seed003_dense":        seed(attention.Dense),
	"seed003_fact_random":  seed(attention.FactorizedRandom),
	"seed003_fact_dense":   seed(attention.FactorizedDense),
	"seed003_mix_rv":       seedMixture(attention.MixtureRV, "random_synth"),
	"seed003_mix_rd":       seedMixture(attention.MixtureRD, "random_synth"),
	"seed003_mix_dv":       seedMixture(attention.MixtureDV, "dense_synth"),
	"seed003_mix_rdv":      seedMixture(attention.MixtureRDV, "random_synth"),
	"linformer_lucidrains": {mechanism: attention.Linformer.ID, each: "x", build: lucidrains},
	"linformer_fairseq":    {mechanism: attention.Linformer.ID, each: "x", build: fairseq},
	"linear_attention":     mixerOf(attention.Linear),
	"synthesizer_mtf":      {each: "q", build: mesh},
	"reformer_lsh":         {mechanism: attention.Reformer.ID, each: "x", build: reformerLayer(lsh), limit: aloneInside},
	"reformer_local": {mechanism: attention.Reformer.ID, each: "x", build: reformerLayer(local),
		limit: aloneInside},
	"reformer_model": {mechanism: attention.Reformer.ID, each: "input_ids", build: reformerModel,
		limit: aloneSomewhere},
	"shuffle_exchange":      {mechanism: attention.ShuffleExchange.ID, each: "x", build: shuffle},
	"rse":                   {mechanism: attention.ResidualShuffleExchange.ID, each: "x", build: residualShuffle},
	"positional_encoding":   {build: waves},
	"universal_transformer": {build: universal, limit: growing},
	"act_t2t":               {build: adaptive, limit: growing},
	"sandwich":              {build: sandwich},
	"rollout_flow":          {each: "attn.0", build: rolloutFlow, limit: methodLimit},
	"bert":                  {each: "input_ids", build: library},
	"albert":                {table: "library", each: "input_ids", build: library},
	"gpt2":                  {table: "library", each: "input_ids", build: library},
	"longformer":            {mechanism: attention.Longformer.ID, each: "input_ids", build: longformer},
	"bigbird":               {mechanism: attention.BigBird.ID, each: "input_ids", build: bigbird},
	"transformer_encdec":    {each: "src", build: transformer},
	"fastformer_layer":      {mechanism: attention.Fastformer.ID, each: "x", build: fastformerLayer},
	"fastformer_encoder":    {mechanism: attention.Fastformer.ID, each: "input_embs", build: fastformerEncoder},
	"fastformer_attn":       mixerOf(attention.Fastformer),
}

// forward computes what a case has computed, by the names of names.toml or the
// reference's own.
type forward func(p *nn.Pass) map[string]*ad.Var

// reference is what the case is held against.
func (c *Case) reference() reference {
	name, after := c.Mechanism, methods[c.Mechanism]
	if after != nil {
		name = c.baseOf()
	}
	ref, ok := references[name]
	if !ok {
		fail("unknown", "name", name, "known", messages.List(Known()))
	}
	if ref.table == "" {
		ref.table = name
	}
	if after != nil {
		ref.after, ref.limit = after, methodLimit
	}
	return ref
}

// Known lists the references that this program can be held against.
func Known() []string {
	return slices.Sorted(slices.Values(slices.Concat(slices.Collect(maps.Keys(references)),
		slices.Collect(maps.Keys(methods)))))
}

// names are the words of a reference.
func (ref reference) names() *names {
	if n, ok := tables[ref.table]; ok {
		return n
	}
	return &names{}
}
