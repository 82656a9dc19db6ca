package api

// Description says what the API is, and how it answers what it cannot.
const Description = "Attention maps of trained models. Layers and heads count from 1. " +
	"Errors are application/problem+json: 400 for a wrong parameter or an empty text, 404 for a mechanism, layer or head " +
	"that does not exist, 413 for a text of more than 64 KiB, 414 for parameters of more than 208 KiB, 422 for what a mechanism is not defined for, 429 and 503 when busy, with the seconds after which it is worth asking again in Retry-After. " +
	"They concern requests that no mechanism could answer; otherwise the mechanism that could not answer carries an error of its own. " +
	"What is documented here keeps its name, type and meaning while version is 1; parameters and keys may be added. " +
	"drawing and compare-drawing, which are for the scripts of the pages, may change with them."

// MechanismsInput documents that there are no parameters.
type MechanismsInput struct{}

// CostInput documents the parameters.
type CostInput struct {
	Text      string `query:"text" doc:"A text, which has the length where n is not given; default that of a page"`
	N         string `query:"n" doc:"Positions, N; default those of the text"`
	Width     string `query:"width" doc:"d; default 128. What is measured is with 128"`
	Heads     string `query:"heads" doc:"H, which divides the width; default 4. What is measured is with 4"`
	Positions string `query:"positions" doc:"L, for which parameters are made; default N"`
	Of        string `query:"of" doc:"A mechanism; the parameters option.NAME are its options, such as option.window=8"`
	Measure   string `query:"measure" enum:"now,stop" doc:"now begins to measure, or goes on, for all who ask; the answer says how far it is, and Retry-After when it will be done, about. It is 503 when everything was measured less than ten minutes ago. stop stops it"`
}

// ReachInput documents the parameters.
type ReachInput struct {
	N      string `query:"n" doc:"Positions, at most 128; default 48"`
	Layers string `query:"layers" doc:"Layers, at most 12; default 6. It ends when all have heard of all"`
	Of     string `query:"of" doc:"A mechanism; default longformer. The parameters option.NAME are its options, such as option.window=8"`
	Mask   string `query:"mask" doc:"none or causal; default none"`
}

// HashingInput documents the parameters.
type HashingInput struct {
	Text   string `query:"text" doc:"The text, at most 65536 bytes and 128 tokens"`
	M      string `query:"m" doc:"The id of Reformer, or of a stack with it; default reformer"`
	Layer  string `query:"layer" doc:"A layer, from 1; default the first"`
	Head   string `query:"head" doc:"A head, from 1, or auto, the sharpest; default auto"`
	Rounds string `query:"rounds" doc:"Rounds of hashing, 1 to 8; default those of the model"`
	Seed   string `query:"seed" doc:"Draws other directions, from 1; default those of the model"`
	K      string `query:"k" doc:"How many most attended words of every word are looked for, 1 to 16; default 4"`
	Round  string `query:"round" doc:"The round that the page looks at, from 1; default the first"`
	Pin    string `query:"pin" doc:"The word that the page follows, from 1"`
	Mask   string `query:"mask" doc:"none or causal; default none"`
	Cut    string `query:"cut" doc:"What is left out of the forward pass, as of attend"`
	ComputeInput
}

// OneInput documents the parameters of what is told of one model.
type OneInput struct {
	Text  string `query:"text" doc:"The text, at most 65536 bytes"`
	M     string `query:"m" doc:"The id of a model that has it; default universal, or of reversing reversible"`
	Layer string `query:"layer" doc:"A layer, from 1, that the page looks at"`
	Head  string `query:"head" doc:"A head, from 1, whose maps the page shows"`
	Pin   string `query:"pin" doc:"The word that the page follows, from 1"`
	Mask  string `query:"mask" doc:"none or causal; default none"`
	Cut   string `query:"cut" doc:"What is left out of the forward pass, as of attend"`
	ComputeInput
}

// AttendInput documents the parameters, which package address reads.
type AttendInput struct {
	Text  string `query:"text" doc:"The text, at most 65536 bytes"`
	M     string `query:"m" doc:"Ids of mechanisms and stacks, separated by commas; albert.linformer is a stack with another mixer; default dot-product,random,dense,fastformer"`
	Layer string `query:"layer" doc:"A layer, from 1; default all layers, or the first with {layered}, which are measured for one layer. Of Universal, a step"`
	Head  string `query:"head" doc:"A head, from 1, mean, or auto, the sharpest of each mechanism and layer: the one whose words differ most in which other word they read; default all heads. Of classes, such as buckets, and of features of heads, which have no mean, mean is head 1. A mechanism can have a head of its own: dense.head=3"`
	Mask  string `query:"mask" doc:"none or causal; default none"`
	Task  string `query:"task" enum:"reverse,sort" doc:"What an encoder–decoder writes of the words; default reverse. Other models take no notice of it"`
	Map   string `query:"map" doc:"Names of maps, separated by commas; default all maps. {methods} Maps of one method can be asked for at a time. Names of the maps of a whole stack, such as effective weights, are allowed too"`
	Show  string `query:"show" enum:"{shows}" doc:"all but maps are short for map with the same name where no map is named; default maps"`
	FilterInput
	Exact string `query:"exact" doc:"1 measures influence exactly where it would be estimated from some of the directions of the outputs; default 0"`
	Cut   string `query:"cut" doc:"What is left out of the forward pass, at most 16 things separated by commas: word:5 is read by no position; head:2.3 is head 3 of layer 2, whose result is 0; cell:4.7 is not read, in any layer and head, cell:2.3.4.7 not in head 3 of layer 2, cell:2.all.4.7 in no head of layer 2. Words and cells are left out before the softmax, so that what is left of a row sums to 1. A mechanism can have cuts of its own besides: dense.cut=head:1.2"`
	ComputeInput
}

// ComputeInput documents how numbers are to be computed.
type ComputeInput struct {
	Compute string `query:"compute" enum:"fast,portable" doc:"portable wants numbers of the same bits on every x86-64 machine and in the browsers of a published folder; a server that was not started with --compute portable refuses it; default fast"`
}

// FilterInput documents what is set aside of maps.
type FilterInput struct {
	Sinks string `query:"sinks" enum:"shown,aside" doc:"aside sets the columns of [CLS] and [SEP] aside, and those on which the other words spend at least 0.3 of their rows and twice as much as if all were read alike; default shown"`
	Mass  string `query:"mass" doc:"A share between 0 and 1: of each row all but the fewest cells that hold it are set aside, of what sinks leave of the row; default all are shown"`
	Top   string `query:"top" doc:"A number: of each row all but so many of the largest cells are set aside; default all are shown"`
}

// WriteInput documents the parameters.
type WriteInput struct {
	Text  string `query:"text" doc:"The text whose words are to be written in another order, of at most 24 word pieces"`
	Task  string `query:"task" enum:"reverse,sort" doc:"The order; default reverse"`
	Layer string `query:"layer" doc:"A layer, from 1; default all layers"`
	Head  string `query:"head" doc:"A head, from 1, mean, or auto, of each layer the sharpest; default all heads"`
	Cut   string `query:"cut" doc:"What is left out of the forward pass, as of attend: cells and heads of the encoder; a word is not read by the decoder, either"`
	ComputeInput
	Map string `query:"map" doc:"Of cross, decoder, encoder and encoder-rollout those that are wanted, separated by commas; default all of them"`
}

// DrawingInput documents the parameters.
type DrawingInput struct {
	Text  string `query:"text" doc:"The text, at most 65536 bytes"`
	M     string `query:"m" doc:"Ids of mechanisms and stacks, separated by commas; default as of a page"`
	Of    string `query:"of" doc:"Those of m whose maps are sent; default all of them. The others count for the normalisation shared"`
	Layer string `query:"layer" doc:"A layer, from 1; default the first"`
	Head  string `query:"head" doc:"A head, from 1, mean, or auto, of each mechanism the sharpest; default auto. A mechanism can have a head of its own: dense.head=3"`
	Mask  string `query:"mask" doc:"none or causal; default none"`
	Task  string `query:"task" enum:"reverse,sort" doc:"What an encoder–decoder writes of the words; default reverse. Other models take no notice of it"`
	Show  string `query:"show" doc:"{shows}; default maps"`
	Map   string `query:"map" doc:"Names of maps, separated by commas; default those that a page shows. The name heads asks for small maps of the mean and of every head, from left to right, without numbers. Of m=encoder-decoder also cross, decoder, encoder and encoder-rollout"`
	Exact string `query:"exact" doc:"1 measures influence exactly where it would be estimated; default 0"`
	Cut   string `query:"cut" doc:"What is left out of the forward pass, as of attend: word:5,head:2.3,cell:4.7"`
	ComputeInput
	Norm   string `query:"norm" doc:"What counts as full colour: absolute, map, row, log, uniform or shared; default row"`
	Other  string `query:"other" doc:"A second text: each mechanism has also its map of it, named second, and of texts of the same length what the first has that it has not, named difference"`
	Values string `query:"values" doc:"0 leaves the numbers out, which do not depend on the normalisation; default 1"`
	FilterInput
}

// CompareInput documents the parameters.
type CompareInput struct {
	Text  string `query:"text" doc:"The text, at most 65536 bytes"`
	Other string `query:"other" doc:"A second text: B is a map of it"`
	A     string `query:"a" doc:"A map, as MECHANISM, MECHANISM:LAYER or MECHANISM:LAYER:HEAD, such as dense:2:3; the layer is by default the first, the head the sharpest (auto), or mean; default dot-product"`
	B     string `query:"b" doc:"Another map; default random"`
	M     string `query:"m" doc:"Ids of mechanisms, of which the first stand for sides that are not named"`
	Layer string `query:"layer" doc:"A layer, from 1, of sides that are not named"`
	Head  string `query:"head" doc:"A head of sides that are not named"`
	Mask  string `query:"mask" doc:"none or causal; default none"`
	Show  string `query:"show" doc:"{shows}; default maps"`
	Cut   string `query:"cut" doc:"What is left out of the forward passes, as of attend: word:5,head:2.3,cell:4.7"`
	ComputeInput
}

// CompareDrawingInput documents the parameters.
type CompareDrawingInput struct {
	CompareInput
	Of     string `query:"of" enum:"a,b" doc:"One of the two maps, without the other; default both and their difference"`
	Norm   string `query:"norm" doc:"What counts as full colour: absolute, map, row, log, uniform or shared; default shared"`
	Values string `query:"values" doc:"0 leaves the numbers out, which do not depend on the normalisation; default 1"`
	FilterInput
}

// PageInput documents the parameters of what stands beside a mechanism's page.
type PageInput struct {
	Mechanism string `path:"mechanism" doc:"The id of a mechanism or stack"`
	Text      string `query:"text" doc:"The text; default the page's worked example"`
	Layer     string `query:"layer" doc:"A layer, from 1; default all layers"`
	Head      string `query:"head" doc:"A head, from 1, mean or auto; default all heads"`
	Mask      string `query:"mask" doc:"none or causal; default none"`
	Task      string `query:"task" enum:"reverse,sort" doc:"What an encoder–decoder writes of the words; default reverse. Other models take no notice of it"`
	Map       string `query:"map" doc:"Names of maps, separated by commas; default all maps"`
	Show      string `query:"show" doc:"{shows}; default maps"`
}

// SourceInput documents the parameters.
type SourceInput struct {
	Mechanism string `path:"mechanism" doc:"The id of a mechanism or stack"`
}

// TakeInput documents the parameters: those of /export/{file}, of which these are the most used.
type TakeInput struct {
	ID     string `path:"id" doc:"The id of a mechanism or stack, or wall"`
	Text   string `query:"text" doc:"The text; default the worked example"`
	Layer  string `query:"layer" doc:"A layer, from 1; default the first"`
	Head   string `query:"head" doc:"A head, from 1, mean or auto; default auto, the sharpest"`
	Map    string `query:"map" doc:"The name of a map; default the mechanism's main map"`
	Format string `query:"format" doc:"The ending of a format, such as pdf; default png"`
	Preset string `query:"preset" doc:"A paper: slide, half-slide, column, text, square or a1"`
	Theme  string `query:"theme" doc:"light or dark; default light"`
	DPI    string `query:"dpi" doc:"Dots for each inch"`
	Scale  string `query:"scale" doc:"Pixels for each cell"`
}

// FigureInput documents the parameters of figures.
type FigureInput struct {
	File  string `path:"file" doc:"MECHANISM.FORMAT, such as dense.png; wall.FORMAT is the figure of every card of the wall with this query; compare.FORMAT, with the query of /compare, is two maps and their difference"`
	Text  string `query:"text" doc:"The text; default the worked example"`
	Layer string `query:"layer" doc:"A layer, from 1; default the first"`
	Head  string `query:"head" doc:"A head, from 1, mean or auto; default auto, the sharpest"`
	Map   string `query:"map" doc:"The name of a map; default the mechanism's main map"`
	Plane string `query:"plane" doc:"Which map of a stack of maps, from 1"`
	Mask  string `query:"mask" doc:"none or causal; default none"`
	Task  string `query:"task" enum:"reverse,sort" doc:"What an encoder–decoder writes of the words; default reverse. Other models take no notice of it"`
	Norm  string `query:"norm" doc:"What counts as full colour: absolute, shared, map, row, log or uniform; default row"`
	Cmap  string `query:"cmap" doc:"cividis, viridis, magma, greys or ink; default cividis"`
	Theme string `query:"theme" doc:"light or dark; default light"`
	Draw  string `query:"draw" enum:"maps,arcs" doc:"arcs draws a map of words and words whose values are amounts as arcs from the words that read, in pictures; default maps"`
	Pin   string `query:"pin" doc:"With draw=arcs, the row whose arcs are drawn, from 1; default of each row the widest"`
	Scale string `query:"scale" doc:"Pixels for each cell"`
	DPI   string `query:"dpi" doc:"Dots for each inch"`
	Bare  string `query:"bare" doc:"1 leaves everything but the cells out"`
	Paper string `query:"preset" doc:"What the figure is made for, instead of scale and dpi: slide, half-slide, column, text, square or a1"`
	Live  string `query:"live" doc:"1 makes of .html a page that computes: with the engine and the weights of its mechanisms, it draws the maps of what is typed, without a network; default 0. Layer, head, map, mask, norm, cmap and theme are what it begins with"`
	Clear string `query:"transparent" doc:"1 leaves the paper out; default 0"`
	ComputeInput
}

// FigureFile is a file, of which nothing can be said in JSON.
type FigureFile struct{}
