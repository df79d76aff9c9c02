"""Computes golden.json with PyTorch and transformers, from the models that the ignored test
`write_the_models_for_the_reference` leaves in $QUIPU_TEST_MODELS:

    python reference.py "$QUIPU_TEST_MODELS" > golden.json
"""

import json
import sys
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import AutoModel

TEXTS = [
    "hola mundo",
    "El perro come",
    "perros camión desconocido",
    "hola",
    " ".join(["hola mundo el perro"] * 10),
    "query: hola mundo",
    "passage: hola mundo",
]

golden = {}
for folder in sorted(Path(sys.argv[1]).iterdir()):
    model = AutoModel.from_pretrained(folder, add_pooling_layer=False).eval()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(json.loads((folder / "sentence_bert_config.json").read_text())["max_seq_length"])
    cls = json.loads((folder / "1_Pooling/config.json").read_text())["pooling_mode_cls_token"]
    golden[folder.name] = {}
    for text in TEXTS:
        ids = tokenizer.encode(text).ids
        with torch.no_grad():
            hidden = model(input_ids=torch.tensor([ids])).last_hidden_state[0]
        vector = hidden[0] if cls else hidden.mean(0)
        vector = torch.nn.functional.normalize(vector, dim=0)
        golden[folder.name][text] = {"tokens": len(ids), "vector": [round(x, 6) for x in vector.tolist()]}
lines = [
    f"{json.dumps(name)}: {{\n" + ",\n".join(f"{json.dumps(text, ensure_ascii=False)}: {json.dumps(case)}" for text, case in cases.items()) + "}"
    for name, cases in golden.items()
]
print("{\n" + ",\n".join(lines) + "\n}")
