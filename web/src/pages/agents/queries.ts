import { queryOptions } from '@tanstack/react-query';
import { api, told } from '../../api/client';

export const agentsOf = (tenant: string) =>
  queryOptions({
    queryKey: [tenant, 'agents'],
    queryFn: () => told(api.GET('/api/v1/agents', { params: { query: { limit: 200 } } })),
  });

export const agentOf = (tenant: string, agent: string) =>
  queryOptions({
    queryKey: [tenant, 'agents', agent],
    queryFn: () => told(api.GET('/api/v1/agents/{agent}', { params: { path: { agent } } })),
  });
