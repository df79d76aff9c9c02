"""An agent through OpenAI's own client: a chat, a stream, and tools of the client's."""

import json
import os

import openai

client = openai.OpenAI(
    base_url=os.environ["QUIPU_URL"] + "/v1", api_key=os.environ["QUIPU_KEY"], max_retries=0
)
PRICE = [{"role": "user", "content": "¿cuánto cuesta la limpieza dental?"}]
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "open_door",
            "description": "Abre la puerta de la clínica.",
            "parameters": {
                "type": "object",
                "properties": {"door": {"type": "string"}},
                "required": ["door"],
            },
        },
    }
]

models = client.models.list().data
assert [model.id for model in models] == ["maya"], models
assert client.models.retrieve("maya").object == "model"

answer = client.chat.completions.create(model="maya", messages=PRICE)
choice = answer.choices[0]
assert "S/ 120" in choice.message.content, answer
assert choice.finish_reason == "stop"
assert answer.quipu["grounded"] and not answer.quipu["degraded"], answer
assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens > 0

stream = client.chat.completions.create(
    model="maya", messages=PRICE, stream=True, stream_options={"include_usage": True}
)
text, reasons, usage = "", [], None
for chunk in stream:
    for choice in chunk.choices:
        text += choice.delta.content or ""
        reasons += [choice.finish_reason] if choice.finish_reason else []
    usage = chunk.usage or usage
assert "S/ 120" in text, text
assert reasons == ["stop"] and usage.total_tokens > 0

messages = [{"role": "user", "content": "ábreme la puerta principal"}]
called = client.chat.completions.create(model="maya", messages=messages, tools=TOOLS)
message = called.choices[0].message
assert called.choices[0].finish_reason == "tool_calls", called
(call,) = message.tool_calls
assert call.function.name == "open_door"
assert json.loads(call.function.arguments) == {"door": "principal"}
messages += [message, {"role": "tool", "tool_call_id": call.id, "content": "abierta"}]
done = client.chat.completions.create(model="maya", messages=messages, tools=TOOLS)
assert done.choices[0].message.content == "La puerta está abierta.", done

with client.chat.completions.stream(model="maya", messages=messages[:1], tools=TOOLS) as events:
    final = events.get_final_completion()
assert final.choices[0].message.tool_calls[0].function.name == "open_door", final

for wrong, error in (
    ({"model": "nobody", "messages": PRICE}, openai.NotFoundError),
    ({"model": "maya", "messages": []}, openai.UnprocessableEntityError),
    ({"model": "maya", "messages": PRICE, "n": 2}, openai.UnprocessableEntityError),
):
    for streaming in (False, True):
        try:
            client.chat.completions.create(stream=streaming, **wrong)
        except error as refused:
            assert refused.body["code"] and refused.body["message"], refused.body
        else:
            raise AssertionError(f"{wrong} was accepted")

print("ok")
