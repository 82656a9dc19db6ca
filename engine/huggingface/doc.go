// Package huggingface opens models of the transformers library. It converts the fields of a
// config.json to our configuration, and finds our parameters in a state dict by the library's
// tensor names. The files of architectures/ define the known families, encoders and decoders.
// Unsupported features are rejected with the name of the field; so is a config.json that does not
// match its weights. The classes of modules.toml are attention layers without a model.
package huggingface
