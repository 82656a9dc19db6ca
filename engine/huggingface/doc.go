// Package huggingface opens models of the transformers library: it reads the
// fields of a config.json as a configuration of ours, and finds our parameters
// in a state dict by the names that its tensors have there. Known are
// BertForPreTraining, AlbertForPreTraining and GPT2LMHeadModel, and BertForMaskedLM
// and AlbertForMaskedLM where the file has the head for sentences too. What a file
// asks for and the engine does not compute is refused with the field's name, and so
// is a config.json that does not fit its weights.
package huggingface
