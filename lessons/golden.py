"""Writes what the reader makes of some messages, worked out slowly and exactly, for the tests to compare with.

Usage: golden.py ASSETS GOLDEN   (needs numpy, scipy, safetensors and tokenizers)
ASSETS is the folder with quipu-es-en and quipu-reader; GOLDEN is a JSON file whose messages are read anew."""

import json
import sys

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import Tokenizer

LAYERS, HEADS, WIDTH = 6, 12, 32
BEGIN, END = 2, 3


def whole_numbers(file):
    """The weights of a file; those of eight bits times the scale of their row."""
    raw = load_file(file)
    scaled = {k[:-2]: raw[k].astype(np.float32) * raw[k[:-2] + '.s'] for k in raw if k.endswith('.q')}
    plain = {k: raw[k].astype(np.float32) for k in raw if not k.endswith(('.q', '.s'))}
    return {**plain, **scaled}


class ExactReader:
    def __init__(self, assets):
        self.labels = json.load(open(f'{assets}/quipu-reader/labels.json'))
        self.words = Tokenizer.from_file(f'{assets}/quipu-es-en/tokenizer.json')
        self.table = whole_numbers(f'{assets}/quipu-es-en/encoder/model-00001-of-00002.safetensors')['emb']
        self.weights = whole_numbers(f'{assets}/quipu-reader/model.safetensors')

    def linear(self, x, name):
        return x @ self.weights[name + '.weight'].T + self.weights[name + '.bias']

    def norm(self, x, name):
        mean, spread = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        return (x - mean) / np.sqrt(spread + 1e-12) * self.weights[name + '.weight'] + self.weights[name + '.bias']

    def rows(self, before, message):
        ids = [BEGIN, *before, END, *message, END]
        start = len(before) + 2
        segment = np.arange(len(ids)) >= start
        x = self.norm(
            self.table[ids] + self.weights['pos'][: len(ids)] + self.weights['typ'][segment.astype(int)], 'ln0'
        )
        apart = lambda y: y.reshape(len(ids), HEADS, WIDTH).transpose(1, 0, 2)
        for layer in range(LAYERS):
            name = lambda part: f'l{layer}.{part}'
            asks, keys, values = (apart(self.linear(x, name(part))) for part in 'qkv')
            scores = asks @ keys.transpose(0, 2, 1) / np.float32(np.sqrt(WIDTH))
            shares = softmax(scores)
            seen = (shares @ values).transpose(1, 0, 2).reshape(len(ids), HEADS * WIDTH)
            x = self.norm(x + self.linear(seen, name('o')), name('ln1'))
            wide = self.linear(x, name('f1'))
            wide = (0.5 * wide * (1 + erf(wide / np.sqrt(2)))).astype(np.float32)
            x = self.norm(x + self.linear(wide, name('f2')), name('ln2'))
        return ids, x, start

    def read(self, agent, text):
        cut = lambda words: self.words.encode(words, add_special_tokens=False).ids
        before = cut(agent)[-self.labels['agent_tokens'] :]
        message = cut(text)[: self.labels['message_tokens']]
        ids, x, start = self.rows(before, message)
        body = x[start : start + len(message)]
        pooled = np.tanh(
            self.linear(np.concatenate([x[0], body.mean(0) if len(message) else np.zeros_like(x[0])]), 'pool')
        )
        best = lambda head, names: [names[i] for i in self.linear(body, head).argmax(-1)]
        acts = 1 / (1 + np.exp(-self.linear(pooled, 'act')))
        number = lambda names, values: {n: round(float(v), 6) for n, v in zip(names, values)}
        return {
            'agent': agent,
            'text': text,
            'ids': ids,
            'tags': best('tag', self.labels['tags']),
            'questions': best('top', self.labels['questions']),
            'acts': number(self.labels['acts'], acts),
            'intent': number(self.labels['intents'], softmax(self.linear(pooled, 'int'))),
            'attack': round(float(softmax(self.linear(pooled, 'att'))[1]), 6),
        }


def softmax(x):
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


if __name__ == '__main__':
    assets, golden = sys.argv[1:]
    reader = ExactReader(assets)
    cases = [reader.read(case['agent'], case['text']) for case in json.load(open(golden))]
    lines = ',\n'.join(json.dumps(case, ensure_ascii=False) for case in cases)
    open(golden, 'w').write(f'[\n{lines}\n]\n')
    print(len(cases), 'messages')
