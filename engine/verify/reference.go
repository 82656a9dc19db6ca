package verify

import (
	"maps"
	"slices"

	"attnatlas/engine/ad"
	"attnatlas/engine/attention"
	"attnatlas/engine/messages"
	"attnatlas/engine/nn"
)

// reference describes how to compare our code with a reference implementation: the model to build
// and the comparison rules. The names of its arrays are in names.toml.
type reference struct {
	mechanism string                                       // id for its cases; empty: architecture, method, or several
	table     string                                       // table in names.toml; empty: the reference's name
	each      string                                       // input [B,…], one sequence at a time; empty: all at once
	build     func(r *run) forward                         // builds our model for the sequence r.b
	limit     func(c *Case, name string, rule limit) limit // exceptions to the limits; nil: none
	after     func(r *run)                                 // files results of mixer calls, r.mixings; nil: not recorded
}

// references are the known references.
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

// forward computes the outputs of a case, by the names of names.toml or of the reference.
type forward func(p *nn.Pass) map[string]*ad.Var

// reference returns the reference of the case.
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

// Known returns the names of all known references and methods, sorted.
func Known() []string {
	return slices.Sorted(slices.Values(slices.Concat(slices.Collect(maps.Keys(references)),
		slices.Collect(maps.Keys(methods)))))
}

// names returns the names of a reference.
func (ref reference) names() *names {
	if n, ok := tables[ref.table]; ok {
		return n
	}
	return &names{}
}
