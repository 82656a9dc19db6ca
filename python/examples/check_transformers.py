import json, subprocess, sys, torch, transformers
folder, text = sys.argv[1], "The cat sat on the mat."
model = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32)
theirs = (model.get_encoder() if model.config.is_encoder_decoder else model)(**transformers.AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt"), output_attentions=True).attentions
ours = json.loads(subprocess.check_output(["viz", "attend", "--model", folder, "--text", text, "--map", "weights", "--json"]))["mechanisms"][0]["layers"]
print(max((torch.tensor(layer["maps"][0]["values"]).reshape_as(their[0]) - their[0]).abs().max().item() for layer, their in zip(ours, theirs)))
