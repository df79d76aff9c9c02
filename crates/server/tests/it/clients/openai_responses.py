"""An agent through the Responses API of OpenAI's own client: texts, streams, and tools of the client's."""

import json
import os

import openai

client = openai.OpenAI(
    base_url=os.environ["QUIPU_URL"] + "/v1", api_key=os.environ["QUIPU_KEY"], max_retries=0
)
PRICE = "¿cuánto cuesta la limpieza dental?"
TOOLS = [
    {
        "type": "function",
        "name": "open_door",
        "description": "Abre la puerta de la clínica.",
        "strict": True,
        "parameters": {
            "type": "object",
            "properties": {"door": {"type": "string"}},
            "required": ["door"],
            "additionalProperties": False,
        },
    },
    {"type": "web_search"},
]

answer = client.responses.create(model="maya", input=PRICE, instructions="Sé breve.")
assert answer.object == "response" and answer.status == "completed", answer
assert answer.id.startswith("resp_") and answer.model == "maya", answer
assert "S/ 120" in answer.output_text, answer
assert answer.error is None and answer.instructions == "Sé breve."
assert answer.quipu["grounded"] and not answer.quipu["degraded"], answer
assert answer.usage.total_tokens == answer.usage.input_tokens + answer.usage.output_tokens > 0

# A talk, in each of the ways in which its messages may be written.
talk = [
    {"role": "developer", "content": "Habla despacio."},
    {"role": "user", "content": "hola"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "¡Hola!"}]},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": PRICE}]},
]
assert "S/ 120" in client.responses.create(model="maya", input=talk).output_text
again = client.responses.create(model="maya", input=answer.output + [{"role": "user", "content": PRICE}])
assert "S/ 120" in again.output_text

# The events of a stream come in their order, and are numbered.
events = list(client.responses.create(model="maya", input=PRICE, stream=True))
assert [event.sequence_number for event in events] == list(range(len(events)))
kinds = [event.type for event in events]
assert kinds[:4] == [
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
], kinds
assert kinds[-4:] == [
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
], kinds
text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
last = events[-1].response
assert "S/ 120" in text and last.output_text == text, (text, last)
assert last.id == events[0].response.id and last.usage.total_tokens > 0

# What the client is to do, and what came of it.
asked = [{"role": "user", "content": "ábreme la puerta principal"}]
called = client.responses.create(model="maya", input=asked, tools=TOOLS)
(call,) = [item for item in called.output if item.type == "function_call"]
assert call.name == "open_door" and json.loads(call.arguments) == {"door": "principal"}
asked += called.output
asked += [{"type": "function_call_output", "call_id": call.call_id, "output": "abierta"}]
done = client.responses.create(model="maya", input=asked, tools=TOOLS)
assert done.output_text == "La puerta está abierta.", done

with client.responses.stream(model="maya", input=asked[:1], tools=TOOLS[:1]) as stream:
    streamed = [event.type for event in stream]
    final = stream.get_final_response()
assert "response.function_call_arguments.delta" in streamed, streamed
assert "response.function_call_arguments.done" in streamed, streamed
(call,) = [item for item in final.output if item.type == "function_call"]
assert json.loads(call.arguments) == {"door": "principal"}, final

for wrong, error in (
    ({"model": "nobody", "input": PRICE}, openai.NotFoundError),
    ({"model": "maya", "input": []}, openai.UnprocessableEntityError),
    ({"model": "maya", "input": PRICE, "previous_response_id": answer.id}, openai.UnprocessableEntityError),
):
    for streaming in (False, True):
        try:
            client.responses.create(stream=streaming, **wrong)
        except error as refused:
            assert refused.body["code"] and refused.body["message"], refused.body
        else:
            raise AssertionError(f"{wrong} was accepted")

print("ok")
