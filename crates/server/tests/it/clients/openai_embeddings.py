"""Embeddings through OpenAI's own client, as its users call it."""

import math
import os

import openai

client = openai.OpenAI(
    base_url=os.environ["QUIPU_URL"] + "/v1", api_key=os.environ["QUIPU_KEY"], max_retries=0
)


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b))


for model in ("quipu-es-en/encoder", "quipu-es-en/static"):
    # The client asks for base64 by itself and gives numbers.
    answer = client.embeddings.create(
        model=model,
        input=["¿cuánto cuesta la limpieza?", "precio de la limpieza dental", "abrimos los lunes"],
    )
    assert answer.object == "list" and answer.model == model
    assert [item.index for item in answer.data] == [0, 1, 2]
    assert all(item.object == "embedding" for item in answer.data)
    vectors = [item.embedding for item in answer.data]
    for vector in vectors:
        assert len(vector) == 384
        assert math.isclose(cosine(vector, vector), 1, abs_tol=1e-4)
    assert cosine(vectors[0], vectors[1]) > cosine(vectors[0], vectors[2])
    assert answer.usage.prompt_tokens > 0
    assert answer.usage.total_tokens == answer.usage.prompt_tokens

    one = client.embeddings.create(model=model, input="abrimos los lunes", encoding_format="float")
    assert len(one.data) == 1
    assert max(abs(a - b) for a, b in zip(one.data[0].embedding, vectors[2])) < 1e-5

for wrong in (
    {"model": "nobody/knows", "input": "hola"},
    {"model": "quipu-es-en/static", "input": ""},
    {"model": "quipu-es-en/static", "input": []},
    {"model": "quipu-es-en/static", "input": "hola", "dimensions": 3},
):
    try:
        client.embeddings.create(**wrong)
    except openai.UnprocessableEntityError as error:
        assert error.body["code"] == "VALIDATION_FAILED", error.body
        assert error.body["message"], error.body
    else:
        raise AssertionError(f"{wrong} was accepted")

try:
    openai.OpenAI(
        base_url=os.environ["QUIPU_URL"] + "/v1", api_key="nobody", max_retries=0
    ).embeddings.create(model="quipu-es-en/static", input="hola")
except openai.AuthenticationError:
    pass
else:
    raise AssertionError("a wrong key was accepted")

print("ok")
