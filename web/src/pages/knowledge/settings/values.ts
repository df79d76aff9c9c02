import type { Schemas } from '../../../api/client';
import type { ChunkingConfig, EmbeddingConfig, KnowledgeBase } from '../queries';

export const STRATEGIES = ['fixed', 'paragraph', 'semantic'] as const;
export const UNITS = ['characters', 'tokens'] as const;
export const PROVIDERS = ['builtin', 'openai', 'cohere', 'custom'] as const;

type Provider = (typeof PROVIDERS)[number];

/** What the sizes are where nobody says anything, by what they count. */
export const USUAL = {
  characters: { chunk_size: 1000, chunk_overlap: 200, max_chunk_size: 2000, min_chunk_size: 100 },
  tokens: { chunk_size: 800, chunk_overlap: 100, max_chunk_size: 1600, min_chunk_size: 25 },
} as const;

/** The models of a provider that are known by name, and how long their vectors are. */
export const MODELS: Record<Provider, Record<string, number>> = {
  builtin: { 'quipu-es-en/encoder': 384, 'quipu-es-en/static': 384 },
  openai: { 'text-embedding-3-small': 1536, 'text-embedding-3-large': 3072, 'text-embedding-ada-002': 1536 },
  cohere: {
    'embed-v4.0': 1536,
    'embed-multilingual-v3.0': 1024,
    'embed-multilingual-light-v3.0': 384,
    'embed-english-v3.0': 1024,
  },
  custom: {},
};

export type BaseValues = {
  name: string;
  description: string;
  language: KnowledgeBase['language'];
  chunking_config: Required<Omit<ChunkingConfig, 'separator_regex'>> & { separator_regex: string };
  embedding_config: Required<Omit<EmbeddingConfig, 'base_url'>> & { base_url: string };
};

export function valuesOf(base: KnowledgeBase): BaseValues {
  const { separator_regex, ...chunking } = base.chunking_config;
  const { base_url, ...embedding } = base.embedding_config;
  return {
    name: base.name,
    description: base.description ?? '',
    language: base.language,
    chunking_config: { ...(chunking as Required<typeof chunking>), separator_regex: separator_regex ?? '' },
    embedding_config: { ...(embedding as Required<typeof embedding>), base_url: base_url ?? '' },
  };
}

export const chunkingOf = ({
  chunking_config: { separator_regex, ...rest },
}: BaseValues): ChunkingConfig => ({
  ...rest,
  separator_regex: separator_regex || null,
});

export const embeddingOf = ({ embedding_config: { base_url, ...rest } }: BaseValues): EmbeddingConfig => ({
  ...rest,
  base_url: rest.provider === 'custom' ? base_url.trim() || null : null,
});

const same = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b);

/** What a change to the sizes or the model leads to. What counts at once is none of it. */
export function consequences(before: BaseValues, now: BaseValues) {
  const cut = ({ chunking_config: { include_page_number, include_source_url, ...rest } }: BaseValues) => rest;
  const vectors = ({ embedding_config: { provider, model, dimensions, base_url } }: BaseValues) => ({
    provider,
    model,
    dimensions,
    base_url,
  });
  return { cutAgain: !same(cut(before), cut(now)), embedAgain: !same(vectors(before), vectors(now)) };
}

/** Only what differs is sent: what somebody else changed meanwhile stays. */
export function changeOf(before: BaseValues, now: BaseValues): Schemas['UpdateKnowledgeBase'] {
  return {
    ...(now.name !== before.name && { name: now.name }),
    ...(now.description !== before.description && { description: now.description.trim() || null }),
    ...(now.language !== before.language && { language: now.language }),
    ...(!same(now.chunking_config, before.chunking_config) && { chunking_config: chunkingOf(now) }),
    ...(!same(now.embedding_config, before.embedding_config) && { embedding_config: embeddingOf(now) }),
  };
}
