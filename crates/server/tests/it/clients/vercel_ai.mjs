// An agent through the Vercel AI SDK: as a model of an OpenAI-compatible provider, and as the other
// side of a chat in a web page.

import assert from 'node:assert/strict';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { DefaultChatTransport, generateText, jsonSchema, readUIMessageStream, stepCountIs, streamText, tool } from 'ai';

const url = process.env.QUIPU_URL;
const apiKey = process.env.QUIPU_KEY;
const quipu = createOpenAICompatible({ name: 'quipu', baseURL: `${url}/v1`, apiKey, includeUsage: true });
const model = quipu('maya');
const prompt = '¿cuánto cuesta la limpieza dental?';

const whole = await generateText({ model, prompt, maxRetries: 0 });
assert.match(whole.text, /S\/ 120/);
assert.equal(whole.finishReason, 'stop');
assert.ok(whole.usage.inputTokens > 0 && whole.usage.outputTokens > 0);

const streamed = streamText({ model, prompt, maxRetries: 0 });
let text = '';
for await (const piece of streamed.textStream) text += piece;
assert.match(text, /S\/ 120/);
assert.ok((await streamed.usage).inputTokens > 0);

const opened = [];
const open_door = tool({
  description: 'Abre la puerta de la clínica.',
  inputSchema: jsonSchema({ type: 'object', properties: { door: { type: 'string' } }, required: ['door'] }),
  execute: async ({ door }) => (opened.push(door), 'abierta'),
});
for (const ask of [generateText, streamText]) {
  const result = ask({
    model,
    prompt: 'ábreme la puerta principal',
    tools: { open_door },
    stopWhen: stepCountIs(3),
    maxRetries: 0,
  });
  assert.equal(await (await result).text, 'La puerta está abierta.');
}
assert.deepEqual(opened, ['principal', 'principal']);

await assert.rejects(generateText({ model: quipu('nobody'), prompt, maxRetries: 0 }), { statusCode: 404 });

const transport = new DefaultChatTransport({
  api: `${url}/api/agents/maya/chat`,
  headers: { authorization: `Bearer ${apiKey}` },
  body: { protocol: 'ui_message_stream', user: 'visitante' },
});
const messages = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: prompt }] }];
const stream = await transport.sendMessages({ chatId: 'c1', trigger: 'submit-message', messages });
let last;
for await (const message of readUIMessageStream({ stream })) last = message;
assert.match(last.parts.filter((part) => part.type === 'text').map((part) => part.text).join(''), /S\/ 120/);
assert.ok(last.metadata.conversation_id);

console.log('ok');
