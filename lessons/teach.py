"""Teaches the reader: some teachers first, then a student that learns from all of them, its weights rounded to eight bits
while it learns.

Usage: teach.py DATA LESSONS ASSETS OUT [--teachers N] [--epochs E] [--student E]   (needs PyTorch, a GPU, safetensors, tokenizers)
DATA holds reader.jsonl, guard-train.jsonl, intents-train.jsonl, intents.jsonl, injection.jsonl and pairs.jsonl, of which only the
parts called `train` teach; LESSONS is this folder. OUT gets the weights and their labels, and what they reach on `test`.
"""

import os

os.environ['TOKENIZERS_PARALLELISM'] = 'false'
import argparse, json, math, os, random, re, sys, time, unicodedata
import numpy as np, torch, torch.nn as nn, torch.nn.functional as F
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer

ap = argparse.ArgumentParser()
ap.add_argument('data')
ap.add_argument('lessons')
ap.add_argument('assets')
ap.add_argument('out')
ap.add_argument('--teachers', type=int, default=6)
ap.add_argument('--epochs', type=int, default=10)
ap.add_argument('--student', type=int, default=20)
ap.add_argument('--seconds', type=int, default=540)
ap.add_argument('--own', type=float, default=0.7)
ap.add_argument('--batch', type=int, default=192)
ap.add_argument('--no-own', action='store_true')
a = ap.parse_args()
T0 = time.time()
dev = 'cuda'
torch.backends.cuda.matmul.allow_tf32 = True
L = json.load(open(a.assets + '/quipu-reader/labels.json'))
TAGS, ACTS, INTS = L['tags'], L['acts'], L['intents']
NB, NM = L['agent_tokens'], L['message_tokens']
TI = {t: i for i, t in enumerate(TAGS)}
CLS, SEP, UNK, PAD = 2, 3, 1, 0
tok = Tokenizer.from_file(a.assets + '/quipu-es-en/tokenizer.json')

# ---- data ---------------------------------------------------------------------------------------------------------
TOPICS = 'price total promotions duration points earning own_visits order_status order_so_far open_now hours place delivery_fee delivery_time delivery_zones minimum payment contact staff who_sees services menu contents availability diagnosis terms machine answered other'.split()
QTAGS = ['O'] + [p + '-' + t for t in TOPICS for p in 'BI']
QI = {t: i for i, t in enumerate(QTAGS)}
MARK = re.compile(r'\[([^\[\]]*)\]\(([A-Z]+)\)')


def segments(text):
    out, at = [], 0
    for m in MARK.finditer(text):
        if 'B-' + m[2] not in TI:
            continue
        if m.start() > at:
            out.append((text[at : m.start()], None))
        out.append((m[1], m[2]))
        at = m.end()
    if at < len(text):
        out.append((text[at:], None))
    return out


def asked(segs, qs):
    """Cuts segments where questions begin and end: (text, tag, number of the part, topic, number of the question)."""
    plain = ''.join(s for s, _ in segs)
    marks = []
    at = 0
    for text, topic in qs or []:
        k = plain.find(text, at)
        if k < 0:
            continue
        marks.append((k, k + len(text), topic))
        at = k + len(text)
    out, pos = [], 0
    for n, (s, t) in enumerate(segs):
        cuts = sorted({0, len(s)} | {min(max(x - pos, 0), len(s)) for b, e, _ in marks for x in (b, e)})
        for i, j in zip(cuts, cuts[1:]):
            q = next(((k, m[2]) for k, m in enumerate(marks) if m[0] <= pos + i and pos + j <= m[1]), None)
            out.append((s[i:j], t, n, q[1] if q else None, q[0] if q else None))
        pos += len(s)
    return out


def row(agent, segs, tags, acts, intent, attack, w, qs=None):
    """qs: the questions, or None where nobody marked them."""
    return dict(
        agent=agent, segs=asked(segs, qs), tags=tags, acts=acts, intent=intent, attack=attack, w=w, qs=qs is not None
    )


def read(name, folder=None):
    return [json.loads(l) for l in open(f'{folder or a.data}/{name}') if l.strip()]


QS = {}
for r in read('questions.jsonl', a.lessons):
    QS[r['file'], r['line']] = r['questions']


def marked(r, file, i):
    """The questions of a row of a file, in its own words, or None where nobody marked them."""
    plain = ''.join(s for s, _ in segments(r['text'])) if file == 'reader.jsonl' else r['text']
    known = QS.get((file, i))
    return [(plain[b:e], t) for b, e, t in known] if known is not None else None


def asks_nothing(r):
    return '?' not in r['text'] and not {'ask', 'check'} & set(r.get('acts', ['ask']))


rows = {'train': [], 'dev': [], 'test': []}
for i, r in enumerate(read('reader.jsonl')):
    rows[r['split']].append(
        (
            'reader',
            row(
                r['agent'],
                segments(r['text']),
                True,
                r['acts'],
                None,
                0,
                1.0,
                marked(r, 'reader.jsonl', i) or ([] if asks_nothing(r) else marked(r, 'reader.jsonl', i)),
            ),
        )
    )
for r in read('guard-train.jsonl'):
    rows[r['split']].append(
        ('guard', row('', [(r['text'], None)], False, None, None, int(r['label'] == 'attack'), 1.0))
    )
for i, r in enumerate(read('intents-train.jsonl')):
    rows[r['split']].append(
        ('intents', row('', [(r['text'], None)], False, None, r['intent'], 0, 1.0, marked(r, 'intents-train.jsonl', i)))
    )
for r in read('intents.jsonl'):
    rows['dev'].append(('intents0', row('', [(r['text'], None)], False, None, r['labels'], None, 1.0)))
for r in read('injection.jsonl'):
    rows['dev'].append(('guard0', row('', [(r['text'], None)], False, None, None, int(r['label'] == 'attack'), 1.0)))
train = [r for _, r in rows['train']]
base = len(train)
if not a.no_own:
    for r in read('messages.jsonl', a.lessons):
        spans_known = '](' in r['text'] or r['attack'] == 0
        ordinary = not r['attack']
        train.append(
            row(
                r['agent'],
                segments(r['text']),
                spans_known,
                r['acts'] if ordinary else None,
                r['intent'] if ordinary else None,
                r['attack'],
                a.own,
                r.get('questions'),
            )
        )
pool = [
    row('', [(q['q'] if isinstance(q, dict) else q, None)], False, None, None, 0, 0.5)
    for p in read('pairs.jsonl')
    if p['split'] == 'train'
    for q in p['questions']
]
print('train', base, '+ own', len(train) - base, '+ questions', len(pool), flush=True)
bank = {}
for r in train:
    for s, t, n, _, _ in r['segs']:
        if t and sum(x[2] == n for x in r['segs']) == 1:
            bank.setdefault(t, []).append(s)
SWAPPED = {
    'NAME',
    'STAFF',
    'OTHER',
    'ITEM',
    'SERVICE',
    'BRANCH',
    'ADDRESS',
    'DATE',
    'TIME',
    'QTY',
    'MOD',
    'SYMPTOM',
    'ALLERGY',
    'PAY',
    'PHONE',
    'EMAIL',
    'DOC',
    'CODE',
    'AMOUNT',
}


SAID_BEFORE = sorted({r['agent'] for r in train if r['agent']})
# A message of so many words says by itself what it is about.
FREE_STANDING = 4


def strip(s):
    return ''.join(c for c in unicodedata.normalize('NFD', s) if not (unicodedata.combining(c) and c != '\u0303'))


NEAR = {
    'b': 'v',
    'v': 'b',
    's': 'z',
    'z': 's',
    'c': 'k',
    'q': 'k',
    'y': 'i',
    'i': 'y',
    'h': '',
    'j': 'g',
    'g': 'j',
    'll': 'y',
}


def typo(s, rng):
    if len(s) < 4:
        return s
    i = rng.randrange(1, len(s) - 1)
    c = s[i]
    if not c.isalpha():
        return s
    k = rng.random()
    if k < 0.25:
        return s[:i] + s[i + 1 :]
    if k < 0.5:
        return s[:i] + c + s[i:]
    if k < 0.75:
        return s[:i] + s[i + 1] + c + s[i + 2 :]
    return s[:i] + NEAR.get(c.lower(), c) + s[i + 1 :]


def vary(r, rng):
    segs = r['segs']
    if r['tags'] and rng.random() < 0.45:
        segs = [
            (
                (
                    rng.choice(bank[x[1]])
                    if x[1] in SWAPPED
                    and bank.get(x[1])
                    and sum(y[2] == x[2] for y in segs) == 1
                    and rng.random() < 0.4
                    else x[0]
                ),
                *x[1:],
            )
            for x in segs
        ]
    k = rng.random()
    lower = k < 0.2
    bare = rng.random() < 0.25
    marks = rng.random() < 0.2
    odd = rng.random() < 0.2
    if lower or bare or marks or odd:
        out = []
        for s, t, *more in segs:
            if lower:
                s = s.lower()
            if bare:
                s = unicodedata.normalize('NFC', strip(s))
            if marks:
                s = re.sub(r'[¿¡?!]', '', s) if t is None else s
            if odd and rng.random() < 0.5:
                s = typo(s, rng)
            if s:
                out.append((s, t, *more))
        segs = out or segs
    agent = r['agent']
    if agent:
        agent = agent if rng.random() > 0.04 else ''
    elif rng.random() < 0.35 and sum(len(x[0].split()) for x in segs) >= FREE_STANDING:
        # Customers change the subject: what the agent said before tells nothing then.
        agent = rng.choice(SAID_BEFORE)
    return agent, segs


def encode(batch, rng=None):
    """Token ids, segments and tags of a batch of rows, padded."""
    varied = [vary(r, rng) if rng else (r['agent'], r['segs']) for r in batch]
    texts = [unicodedata.normalize('NFC', ''.join(x[0] for x in segs)) for _, segs in varied]
    enc = tok.encode_batch(texts, add_special_tokens=False)
    ag = tok.encode_batch([g for g, _ in varied], add_special_tokens=False)
    ids, typ, tag, top, where = [], [], [], [], []
    for (g, segs), e, b, r in zip(varied, enc, ag, batch):
        m, off = e.ids[:NM], e.offsets[:NM]
        before = b.ids[-NB:]
        if rng:
            m = [UNK if rng.random() < 0.02 else i for i in m]
        x = [CLS] + before + [SEP] + m + [SEP]
        start = len(before) + 2
        at, marks, qmarks = 0, {}, {}
        for s, t, n, q, k in segs:
            m_ = len(unicodedata.normalize('NFC', s))
            if t:
                marks[n] = (marks[n][0] if n in marks else at, at + m_, t)
            if q:
                qmarks[k] = (qmarks[k][0] if k in qmarks else at, at + m_, q)
            at += m_

        def labels(marks, index):
            y, last = [], None
            for lo, hi in off:
                hit = next((m_ for m_ in marks.values() if lo < m_[1] and hi > m_[0]), None)
                if hit is None:
                    y.append(0)
                    last = None
                else:
                    y.append(index[('I-' if last == hit else 'B-') + hit[2]])
                    last = hit
            return y

        y, z = labels(marks, TI), labels(qmarks, QI)
        ids.append(x)
        typ.append([0] * start + [1] * (len(x) - start))
        where.append((start, len(m)))
        tag.append([-100] * start + (y if r['tags'] else [-100] * len(y)) + [-100])
        top.append([-100] * start + (z if r['qs'] else [-100] * len(z)) + [-100])
    n = max(map(len, ids))
    padded = lambda v, f: torch.tensor([x + [f] * (n - len(x)) for x in v])
    body = torch.zeros(len(ids), n, dtype=torch.bool)
    for i, (s, m) in enumerate(where):
        body[i, s : s + m] = True
    return dict(
        ids=padded(ids, PAD),
        typ=padded(typ, 1),
        tag=padded(tag, -100),
        top=padded(top, -100),
        mask=torch.tensor([[1] * len(x) + [0] * (n - len(x)) for x in ids]).bool(),
        body=body,
        where=where,
        offsets=[e.offsets[:NM] for e in enc],
    )


def targets(batch):
    acts = torch.zeros(len(batch), len(ACTS))
    hasa = torch.zeros(len(batch))
    it = torch.full((len(batch),), -100)
    at = torch.full((len(batch),), -100)
    w = torch.tensor([r['w'] for r in batch])
    for i, r in enumerate(batch):
        if r['acts'] is not None:
            hasa[i] = 1
            for k in r['acts']:
                acts[i, ACTS.index(k)] = 1
        if isinstance(r['intent'], str):
            it[i] = INTS.index(r['intent'])
        if r['attack'] is not None:
            at[i] = r['attack']
    return acts, hasa, it, at, w


# ---- model --------------------------------------------------------------------------------------------------------
class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w):
        s = w.abs().amax(1, keepdim=True).clamp_min(1e-8) / 127
        return (w / s).round().clamp(-127, 127) * s

    @staticmethod
    def backward(ctx, g):
        return g


class Lin(nn.Linear):
    rounded = False

    def forward(s, x):
        return F.linear(x, Round.apply(s.weight) if s.rounded else s.weight, s.bias)


class Reader(nn.Module):
    def __init__(s, w, table, drop=0.1):
        super().__init__()
        s.table = table
        s.drop = nn.Dropout(drop)
        P = lambda k: nn.Parameter(torch.tensor(w[k]))
        s.pos, s.typ = P('pos'), P('typ')
        s.norms = nn.ParameterDict()
        s.lins = nn.ModuleDict()
        for k in ['ln0'] + [f'l{i}.ln{j}' for i in range(6) for j in (1, 2)]:
            s.norms[k.replace('.', '_') + '_w'] = P(k + '.weight')
            s.norms[k.replace('.', '_') + '_b'] = P(k + '.bias')
        for k in [f'l{i}.{n}' for i in range(6) for n in ('q', 'k', 'v', 'o', 'f1', 'f2')] + [
            'pool',
            'tag',
            'act',
            'int',
            'att',
            'top',
        ]:
            m = w[k + '.weight']
            l = Lin(m.shape[1], m.shape[0])
            l.weight.data = torch.tensor(m)
            l.bias.data = torch.tensor(w[k + '.bias'])
            l.rounded = False
            s.lins[k.replace('.', '_')] = l

    def ln(s, x, k):
        return F.layer_norm(x, (384,), s.norms[k + '_w'], s.norms[k + '_b'], 1e-12)

    def forward(s, b):
        ids, typ, mask = b['ids'], b['typ'], b['mask']
        B, n = ids.shape
        x = s.drop(s.ln(s.table[ids] + s.pos[:n] + s.typ[typ], 'ln0'))
        m = mask[:, None, None, :]
        hd = lambda y: y.view(B, n, 12, 32).transpose(1, 2)
        for i in range(6):
            l = lambda k, y: s.lins[f'l{i}_{k}'](y)
            z = F.scaled_dot_product_attention(
                hd(l('q', x)), hd(l('k', x)), hd(l('v', x)), attn_mask=m, dropout_p=0.1 if s.training else 0.0
            )
            x = s.ln(x + s.drop(l('o', z.transpose(1, 2).reshape(B, n, 384))), f'l{i}_ln1')
            x = s.ln(x + s.drop(l('f2', F.gelu(l('f1', x)))), f'l{i}_ln2')
        body = b['body'].unsqueeze(-1).float()
        mean = (x * body).sum(1) / body.sum(1).clamp_min(1)
        p = s.drop(torch.tanh(s.lins['pool'](torch.cat([x[:, 0], mean], 1))))
        return s.lins['tag'](s.drop(x)), s.lins['act'](p), s.lins['int'](p), s.lins['att'](p), s.lins['top'](s.drop(x))


def weights(file, extra=None):
    w = load_file(file) if isinstance(file, str) else file
    out = {}
    for k in w:
        if k.endswith('.weight.q'):
            out[k[:-2]] = w[k].astype(np.float32) * w[k[:-2] + '.s']
        elif not k.endswith('.weight.s'):
            out[k] = w[k].astype(np.float32)
    return out


enc1 = load_file(a.assets + '/quipu-es-en/encoder/model-00001-of-00002.safetensors')
table = torch.tensor(enc1['emb.q'].astype(np.float32) * enc1['emb.s']).to(dev)
reader0 = weights(a.assets + '/quipu-reader/model.safetensors')
if 'top.weight' not in reader0:
    reader0['top.weight'] = (np.random.default_rng(1).standard_normal((len(QTAGS), 384)) * 0.02).astype(np.float32)
    reader0['top.bias'] = np.zeros(len(QTAGS), np.float32)
encoder = weights(a.assets + '/quipu-es-en/encoder/model-00002-of-00002.safetensors')


def fresh(seed, from_encoder):
    g = np.random.default_rng(seed)
    w = dict(reader0)
    if from_encoder:
        for k in w:
            if k in encoder and encoder[k].shape == w[k].shape:
                w[k] = encoder[k]
        w['pos'] = encoder['pos'][: w['pos'].shape[0]] if 'pos' in encoder else w['pos']
        w['typ'] = (g.standard_normal(w['typ'].shape) * 0.02).astype(np.float32)
        for k in ('pool', 'tag', 'act', 'int', 'att', 'top'):
            w[k + '.weight'] = (g.standard_normal(w[k + '.weight'].shape) * 0.02).astype(np.float32)
            w[k + '.bias'] = np.zeros_like(w[k + '.bias'])
    return Reader(w, table).to(dev)


up = lambda b: {k: v.to(dev, non_blocking=True) if torch.is_tensor(v) else v for k, v in b.items()}


def hard(out, b, t):
    tg, ac, it, at, tp = out
    acts, hasa, inte, att, w = t
    ce = F.cross_entropy(tg.transpose(1, 2), b['tag'], ignore_index=-100, reduction='none')
    seen = (b['tag'] != -100).float()
    l = (ce.sum(1) * w).sum() / (seen.sum(1) * w).sum().clamp_min(1) * 1.5
    cq = F.cross_entropy(tp.transpose(1, 2), b['top'], ignore_index=-100, reduction='none')
    seen = (b['top'] != -100).float()
    l = l + (cq.sum(1) * w).sum() / (seen.sum(1) * w).sum().clamp_min(1) * 1.5
    l = (
        l
        + (F.binary_cross_entropy_with_logits(ac, acts, reduction='none').mean(1) * hasa * w).sum()
        / (hasa * w).sum().clamp_min(1)
        * 8
    )
    for o, y in ((it, inte), (at, att)):
        ok = (y >= 0).float() * w
        l = l + 1.5 * (
            F.cross_entropy(o, y.clamp_min(0), reduction='none', label_smoothing=0.02) * ok
        ).sum() / ok.sum().clamp_min(1)
    return l


def soft(out, teach, b, w):
    tg, ac, it, at, tp = out
    T = teach
    body = b['body'].float() * w[:, None]
    kl = lambda o, p: (p * (p.clamp_min(1e-7).log() - F.log_softmax(o, -1))).sum(-1)
    l = (kl(tg, T[0]) * body).sum() / body.sum().clamp_min(1) * 2
    l = l + (kl(tp, T[4]) * body).sum() / body.sum().clamp_min(1) * 2
    l = l + (F.binary_cross_entropy_with_logits(ac, T[1], reduction='none').mean(1) * w).sum() / w.sum() * 8
    return l + (kl(it, T[2]) * w).sum() / w.sum() + (kl(at, T[3]) * w).sum() / w.sum()


def batches(rows, rng):
    order = list(range(len(rows)))
    rng.shuffle(order)
    # Rows of like length stand together, in small heaps.
    heap = a.batch * 16
    for i in range(0, len(order), heap):
        part = sorted(
            order[i : i + heap], key=lambda j: sum(len(x[0]) for x in rows[j]['segs']) + len(rows[j]['agent'])
        )
        groups = [part[k : k + a.batch] for k in range(0, len(part), a.batch)]
        rng.shuffle(groups)
        for gsel in groups:
            yield [rows[j] for j in gsel]


# ---- measuring ----------------------------------------------------------------------------------------------------
def spans(tags, names=TAGS):
    out, i = [], 0
    while i < len(tags):
        t = names[tags[i]]
        if t[0] == 'B':
            j = i + 1
            while j < len(tags) and names[tags[j]] == 'I' + t[1:]:
                j += 1
            out.append((t[2:], i, j))
            i = j
        else:
            i += 1
    return out


@torch.no_grad()
def measure(models, part):
    res = {}
    for name in ('reader', 'guard', 'intents', 'intents0', 'guard0'):
        rs = [r for n, r in rows[part] if n == name]
        if not rs:
            continue
        tps = ov = np_ = ng = 0
        ta = fa = na = 0
        right = 0
        qo = qn = qr = qm = 0
        caught = att = flagged = ben = 0
        sc = []
        for i in range(0, len(rs), 256):
            rb = rs[i : i + 256]
            b = up(encode(rb))
            with torch.autocast('cuda', torch.bfloat16):
                outs = [[o.float() for o in m.eval()(b)] for m in models]
            tg = sum(F.softmax(o[0], -1) for o in outs).argmax(-1).cpu()
            ac = sum(torch.sigmoid(o[1]) for o in outs).cpu() / len(outs)
            it = sum(F.softmax(o[2], -1) for o in outs).argmax(-1).cpu()
            at = sum(F.softmax(o[3], -1) for o in outs).cpu()[:, 1] / len(outs)
            tp = sum(F.softmax(o[4], -1) for o in outs).argmax(-1).cpu()
            for k, r in enumerate(rb):
                s, m = b['where'][k]
                if r['qs'] and name in ('reader', 'intents'):
                    g = spans([max(0, x) for x in b['top'][k, s : s + m].tolist()], QTAGS)
                    p = spans(tp[k, s : s + m].tolist(), QTAGS)
                    hit = lambda x, ys: any(x[0] == y[0] and x[1] < y[2] and y[1] < x[2] for y in ys)
                    qo += sum(hit(x, g) for x in p) + sum(hit(x, p) for x in g)
                    qn += len(g) + len(p)
                    if len(g) == 1:
                        qm += 1
                        qr += bool(p) and max(p, key=lambda x: x[2] - x[1])[0] == g[0][0]
                if name == 'reader':
                    g = set(spans([max(0, x) for x in b['tag'][k, s : s + m].tolist()]))
                    p = set(spans(tg[k, s : s + m].tolist()))
                    tps += len(g & p)
                    np_ += len(p)
                    ng += len(g)
                    ov += sum(any(x[0] == y[0] and x[1] < y[2] and y[1] < x[2] for y in g) for x in p) + sum(
                        any(x[0] == y[0] and x[1] < y[2] and y[1] < x[2] for y in p) for x in g
                    )
                    pa = {ACTS[j] for j in range(len(ACTS)) if ac[k, j] >= 0.5}
                    ga = set(r['acts'])
                    ta += len(pa & ga)
                    fa += len(pa)
                    na += len(ga)
                elif name.startswith('int'):
                    right += INTS[it[k]] in (r['intent'] if isinstance(r['intent'], list) else [r['intent']])
                else:
                    sc.append((float(at[k]), r['attack']))
        if qn:
            res[name + '.asked'] = qo / qn
            res[name + '.one'] = qr / max(1, qm)
        if name == 'reader':
            res['spans'] = 2 * tps / max(1, np_ + ng)
            res['overlap'] = ov / max(1, np_ + ng)
            res['acts'] = 2 * ta / max(1, fa + na)
        elif name.startswith('int'):
            res[name] = right / len(rs)
        else:
            A = [s for s, y in sc if y]
            N = [s for s, y in sc if not y]
            for th in (0.5, 0.9):
                res[f'{name}@{th}'] = (
                    round(sum(s >= th for s in A) / max(1, len(A)), 3),
                    round(sum(s >= th for s in N) / max(1, len(N)), 3),
                )
    return {k: round(v, 4) if isinstance(v, float) else v for k, v in res.items()}


class Made(torch.utils.data.Dataset):
    def __init__(s, todo):
        s.todo = todo

    def __len__(s):
        return len(s.todo)

    def __getitem__(s, i):
        return encode(s.todo[i][0], random.Random(s.todo[i][1])), targets(s.todo[i][0])


def run(model, data, epochs, seed, teachers=None, lr=1e-4, label=''):
    rng = random.Random(seed)
    torch.manual_seed(seed)
    steps = epochs * math.ceil(len(data) / a.batch)
    new = lambda n: 'lins.top.' in n
    decay = [p for n, p in model.named_parameters() if p.ndim > 1 and not new(n)]
    rest = [p for n, p in model.named_parameters() if p.ndim < 2 and not new(n)]
    # What was never taught learns faster than what is only put right.
    opt = torch.optim.AdamW(
        [
            {'params': decay, 'weight_decay': 0.01},
            {'params': rest, 'weight_decay': 0},
            {'params': [p for n, p in model.named_parameters() if new(n)], 'lr': 3e-3, 'weight_decay': 0.01},
        ],
        lr=lr,
        betas=(0.9, 0.98),
        fused=True,
    )
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda s: min(1, (s + 1) / (0.06 * steps)) * max(0.02, 1 - s / steps)
    )
    names = [k for k, v in model.state_dict().items() if v.is_floating_point()]
    live = [model.state_dict()[k] for k in names]
    mean = [v.detach().clone() for v in live]
    done = 0
    for e in range(epochs):
        model.train()
        total = 0
        n = 0
        todo = [(bt, rng.random()) for bt in batches(data, rng)]
        if True:
            for b, t in torch.utils.data.DataLoader(Made(todo), batch_size=None, num_workers=12, prefetch_factor=8):
                b = up(b)
                t = [x.to(dev) for x in t]
                with torch.autocast('cuda', torch.bfloat16):
                    out = model(b)
                out = [o.float() for o in out]
                l = hard(out, b, t)
                if teachers:
                    with torch.no_grad(), torch.autocast('cuda', torch.bfloat16):
                        os_ = [[o.float() for o in m.eval()(b)] for m in teachers]
                        T = [
                            sum(F.softmax(o[0], -1) for o in os_) / len(os_),
                            sum(torch.sigmoid(o[1]) for o in os_) / len(os_),
                            sum(F.softmax(o[2], -1) for o in os_) / len(os_),
                            sum(F.softmax(o[3], -1) for o in os_) / len(os_),
                            sum(F.softmax(o[4], -1) for o in os_) / len(os_),
                        ]
                    l = 0.35 * l + soft(out, T, b, t[4])
                opt.zero_grad(set_to_none=True)
                l.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
                sched.step()
                done += 1
                with torch.no_grad():
                    keep = min(0.99, done / (done + 10))
                    torch._foreach_lerp_(mean, [p.detach() for p in live], 1 - keep)
                total += float(l.detach())
                n += 1
        if e == epochs - 1 or (teachers and e % 5 == 4):
            print(
                f'{label} epoch {e + 1} loss {total / n:.3f} {time.time() - T0:.0f}s',
                measure([model], 'dev'),
                flush=True,
            )
        if time.time() - T0 > a.seconds:
            print('out of time')
            break
    now = {k: v.clone() for k, v in model.state_dict().items()}
    before = measure([model], 'dev')
    model.load_state_dict(dict(zip(names, mean)), strict=False)
    after = measure([model], 'dev')
    print(f'{label} averaged', after, flush=True)
    score = (
        lambda r: r.get('reader.asked', 0) * 0.5
        + r['spans']
        + r['acts']
        + r['intents']
        + r['intents0'] * 0.5
        + r['guard@0.5'][0]
        - 2 * r['guard@0.5'][1]
    )
    if score(before) > score(after):
        model.load_state_dict(now)
    return model.eval()


print('as it was', measure([Reader(reader0, table).to(dev)], 'dev'), flush=True)
teachers = []
for k in range(a.teachers):
    anew = k % 3 == 2
    teachers.append(
        run(
            fresh(k, anew),
            train,
            int(2.4 * a.epochs) if anew else a.epochs,
            k,
            lr=3e-4 if anew else 1e-4,
            label=f'teacher {k}',
        )
    )
if len(teachers) > 1:
    print('together', measure(teachers, 'dev'), flush=True)
student = fresh(99, False)
for l in student.lins.values():
    l.rounded = False
for k, l in student.lins.items():
    l.rounded = k.startswith('l')
student = run(student, train + pool, a.student, 99, teachers, lr=1.5e-4, label='student')
out = {}
sd = student
for k, p in sd.norms.items():
    n, x = k.rsplit('_', 1)
    out[n.replace('_', '.') + ('.weight' if x == 'w' else '.bias')] = p.detach().cpu().numpy().astype(np.float32)
out['pos'], out['typ'] = sd.pos.detach().cpu().numpy().astype(np.float32), sd.typ.detach().cpu().numpy().astype(
    np.float32
)
for k, l in sd.lins.items():
    n = k.replace('_', '.')
    w = l.weight.detach().cpu().numpy().astype(np.float32)
    out[n + '.bias'] = l.bias.detach().cpu().numpy().astype(np.float32)
    if k.startswith('l'):
        s = np.maximum(np.abs(w).max(1, keepdims=True), 1e-8) / 127
        out[n + '.weight.q'] = np.clip(np.round(w / s), -127, 127).astype(np.int8)
        out[n + '.weight.s'] = s.astype(np.float32)
    else:
        out[n + '.weight'] = w
ref = load_file(a.assets + '/quipu-reader/model.safetensors')
assert set(out) - {'top.weight', 'top.bias'} == set(ref) - {'top.weight', 'top.bias'}, set(out) ^ set(ref)
for k in ref:
    assert out[k].shape == ref[k].shape and out[k].dtype == ref[k].dtype, (
        k,
        out[k].shape,
        ref[k].shape,
        out[k].dtype,
        ref[k].dtype,
    )
os.makedirs(a.out, exist_ok=True)
json.dump({**L, 'questions': QTAGS}, open(a.out + '/labels.json', 'w'), indent=1)
save_file(out, a.out + '/model.safetensors')
again = Reader(weights(a.out + '/model.safetensors'), table).to(dev)
print('rounded', measure([again], 'dev'), f'{time.time() - T0:.0f}s', flush=True)
json.dump(measure([again], 'test'), open(a.out + '/test.json', 'w'))
