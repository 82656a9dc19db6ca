// Package huggingface opens models of the transformers library: it reads the
// fields of a config.json as a configuration of ours, and finds our parameters
// in a state dict by the names that its tensors have there. Known are
// BertForPreTraining, AlbertForPreTraining and GPT2LMHeadModel. What a file asks
// for and the engine does not compute is refused with the field's name.
package huggingface
