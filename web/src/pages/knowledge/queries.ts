import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';

export type KnowledgeBase = Schemas['CountedKb'];
export type Document = Schemas['Document'];
export type ChunkingConfig = Schemas['ChunkingConfig'];
export type EmbeddingConfig = Schemas['EmbeddingConfig'];

export const basesOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'bases'],
    queryFn: () =>
      told(api.GET('/api/v1/knowledge-bases', { params: { query: { limit: 200, status: 'active' } } })),
  });

export const archivedBasesOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'bases', 'archived', 'all'],
    queryFn: () =>
      told(api.GET('/api/v1/knowledge-bases', { params: { query: { limit: 200, status: 'archived' } } })),
  });

export const baseOf = (tenant: string, kb: string) =>
  queryOptions({
    queryKey: [tenant, 'bases', kb],
    queryFn: () => told(api.GET('/api/v1/knowledge-bases/{kb_id}', { params: { path: { kb_id: kb } } })),
  });

export const statsOf = (tenant: string, kb: string) =>
  queryOptions({
    queryKey: [tenant, 'bases', kb, 'stats'],
    queryFn: () =>
      told(api.GET('/api/v1/knowledge-bases/{kb_id}/stats', { params: { path: { kb_id: kb } } })),
  });

export const documentsKey = (tenant: string, kb: string) => [tenant, 'bases', kb, 'documents'];

export const documentOf = (tenant: string, kb: string, id: string) =>
  queryOptions({
    queryKey: [...documentsKey(tenant, kb), 'one', id],
    queryFn: () =>
      told(
        api.GET('/api/v1/knowledge-bases/{kb_id}/documents/{document_id}', {
          params: { path: { kb_id: kb, document_id: id } },
        }),
      ),
  });

export const assignmentsOf = (tenant: string, kb: string) =>
  queryOptions({
    queryKey: [tenant, 'bases', kb, 'assignments'],
    queryFn: () =>
      told(api.GET('/api/v1/knowledge-bases/{kb_id}/assignments', { params: { path: { kb_id: kb } } })),
  });

/** What is cut to look at, which nothing that changes elsewhere makes cut again. */
export const previewOf = (tenant: string, kb: string, body: Schemas['PreviewChunks']) =>
  queryOptions({
    queryKey: [tenant, 'chunk-preview', kb, body],
    queryFn: ({ signal }) =>
      told(
        api.POST('/api/v1/knowledge-bases/{kb_id}/chunks/preview', {
          params: { path: { kb_id: kb } },
          body,
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
    retry: false,
  });

export const websitesKey = (tenant: string, kb: string) => [tenant, 'bases', kb, 'websites'];

export const websitesOf = (tenant: string, kb: string) =>
  queryOptions({
    queryKey: websitesKey(tenant, kb),
    queryFn: () =>
      told(
        api.GET('/api/v1/knowledge-bases/{kb_id}/websites', {
          params: { path: { kb_id: kb }, query: { limit: 200 } },
        }),
      ),
  });
