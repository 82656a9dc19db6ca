package api

// Description says what the API is, and how it answers what it cannot.
const Description = "Attention maps of trained models. Layers and heads count from 1. " +
	"Errors are application/problem+json: 400 for a wrong parameter or an empty text, 404 for a mechanism, layer or head " +
	"that does not exist, 413 for a text of more than 64 KiB, 414 for parameters of more than 208 KiB, 422 for what a mechanism is not defined for, 429 and 503 when busy, with the seconds after which it is worth asking again in Retry-After. " +
	"They concern requests that no mechanism could answer; otherwise the mechanism that could not answer carries an error of its own."

// MechanismsInput documents that there are no parameters.
type MechanismsInput struct{}

// AttendInput documents the parameters, which package address reads.
type AttendInput struct {
	Text  string `query:"text" doc:"The text, at most 65536 bytes"`
	M     string `query:"m" doc:"Ids of mechanisms and stacks, separated by commas; albert.linformer is a stack with another mixer; default dot-product,random,dense,fastformer"`
	Layer string `query:"layer" doc:"A layer, from 1; default all layers, or the first with influence, which is measured for one layer. Of Universal, a step"`
	Head  string `query:"head" doc:"A head, from 1, or mean; default all heads. Of classes, such as buckets, and of features of heads, which have no mean, mean is head 1"`
	Mask  string `query:"mask" doc:"none or causal; default none"`
	Map   string `query:"map" doc:"Names of maps, separated by commas; default all maps. The name influence asks for ‖∂yᵢ/∂xⱼ‖: how much the output of the layer's mixer at position i moves when its input at j moves, along every path and through all heads together (Frobenius norm of the block of the Jacobian); every mechanism has it, and every stack but the encoder–decoder. The name rollout asks for attention rollout after each layer (Abnar and Zuidema 2020): rows of 0.5·A + 0.5·I, mean of the heads, multiplied through the layers; not all mechanisms have it. Names of the maps of a whole stack, such as effective weights, are allowed too"`
	Show  string `query:"show" enum:"maps,influence,rollout" doc:"influence and rollout are short for map=influence and map=rollout where no map is named; default maps"`
}

// WriteInput documents the parameters.
type WriteInput struct {
	Text  string `query:"text" doc:"The text whose words are to be written in reverse, of at most 24 word pieces"`
	Layer string `query:"layer" doc:"A layer, from 1; default all layers"`
	Head  string `query:"head" doc:"A head, from 1, or mean; default all heads"`
	Map   string `query:"map" doc:"Of cross, decoder, encoder and encoder-rollout those that are wanted, separated by commas; default all of them"`
}

// DrawingInput documents the parameters.
type DrawingInput struct {
	Text   string `query:"text" doc:"The text, at most 65536 bytes"`
	M      string `query:"m" doc:"Ids of mechanisms and stacks, separated by commas; default as of a page"`
	Of     string `query:"of" doc:"Those of m whose maps are sent; default all of them. The others count for the normalisation shared"`
	Layer  string `query:"layer" doc:"A layer, from 1; default the first"`
	Head   string `query:"head" doc:"A head, from 1, or mean; default mean"`
	Mask   string `query:"mask" doc:"none or causal; default none"`
	Show   string `query:"show" doc:"maps, influence or rollout; default maps"`
	Map    string `query:"map" doc:"Names of maps, separated by commas; default those that a page shows. Of m=encoder-decoder also cross, decoder, encoder and encoder-rollout"`
	Norm   string `query:"norm" doc:"What counts as full colour: absolute, map, row, log, uniform or shared; default row"`
	Values string `query:"values" doc:"0 leaves the numbers out, which do not depend on the normalisation; default 1"`
}
