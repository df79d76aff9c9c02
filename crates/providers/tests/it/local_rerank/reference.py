"""Computes what is expected of the cross-encoders that the ignored test
`write_the_judges_for_the_reference` leaves in $QUIPU_TEST_MODELS:

    python reference.py "$QUIPU_TEST_MODELS" > golden.json
"""

import json
import sys
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import AutoConfig, AutoModelForSequenceClassification

QUESTIONS = ["el perro come", "hola", " ".join(["camión mundo"] * 8)]
PASSAGES = [
    "hola mundo",
    "El perro come",
    "perros camión desconocido",
    "",
    " ".join(["hola mundo el perro"] * 10),
]

golden = {}
for folder in sorted(Path(sys.argv[1]).iterdir()):
    config = AutoConfig.from_pretrained(folder)
    model, loading = AutoModelForSequenceClassification.from_pretrained(folder, output_loading_info=True)
    assert not loading["missing_keys"] and not loading["unexpected_keys"], loading
    model = model.eval()
    padding = 0 if config.model_type == "bert" else config.pad_token_id + 1
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(config.max_position_embeddings - padding)
    golden[folder.name] = []
    for question in QUESTIONS:
        relevances = []
        for passage in PASSAGES:
            pair = tokenizer.encode(question, passage)
            with torch.no_grad():
                logits = model(
                    input_ids=torch.tensor([pair.ids]), token_type_ids=torch.tensor([pair.type_ids])
                ).logits
            assert logits.shape == (1, 1)
            relevances.append(round(torch.sigmoid(logits)[0, 0].item(), 6))
        golden[folder.name].append({"question": question, "passages": PASSAGES, "relevances": relevances})
lines = [
    f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases) + "]"
    for name, cases in golden.items()
]
print("{\n" + ",\n".join(lines) + "\n}")
