import { queryOptions } from '@tanstack/react-query';
import { api, told } from '../../api/client';

export const basesOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'bases'],
    queryFn: () =>
      told(api.GET('/api/v1/knowledge-bases', { params: { query: { limit: 200, status: 'active' } } })),
  });

export const baseOf = (tenant: string, kb: string) =>
  queryOptions({
    queryKey: [tenant, 'bases', kb],
    queryFn: () => told(api.GET('/api/v1/knowledge-bases/{kb_id}', { params: { path: { kb_id: kb } } })),
  });

export const documentsKey = (tenant: string, kb: string) => [tenant, 'bases', kb, 'documents'];
