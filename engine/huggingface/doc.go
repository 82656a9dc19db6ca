// Package huggingface opens models of the transformers library: it reads the
// fields of a config.json as a configuration of ours, and finds our parameters
// in a state dict by the names that its tensors have there. The files of
// architectures/ are the families that are known, encoders and decoders. What a
// file asks for and the engine does not compute is refused with the field's name,
// and so is a config.json that does not fit its weights. The classes of modules.toml
// are attention layers without a model around them.
package huggingface
