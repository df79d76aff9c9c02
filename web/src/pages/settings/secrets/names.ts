/** The names by which the product itself looks for a secret. */
export const KNOWN = [
  'openai_api_key',
  'anthropic_api_key',
  'gemini_api_key',
  'cohere_api_key',
  'openai_compatible_api_key',
  'ollama_api_key',
  'custom_embedding_api_key',
  'n8n_shared_secret',
] as const;

export type KnownName = (typeof KNOWN)[number];

export const isKnown = (name: string): name is KnownName => (KNOWN as readonly string[]).includes(name);

/** Keys for servers that a tenant names: they are sent to those alone. */
export const hasOrigins = (name: string) =>
  ['openai_compatible_api_key', 'ollama_api_key', 'custom_embedding_api_key'].includes(name);
