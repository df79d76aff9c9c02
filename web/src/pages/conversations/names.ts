import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { me } from '../../api/session';
import { useTexts } from '../../i18n';
import { agentsOf } from '../agents/queries';
import { membersOf } from './queries';

/** What people call whoever the audit log knows as `user:…`, `agent:…` and so on. */
export function useNames(tenant: string, customer?: string): (author: string) => string {
  const t = useTexts();
  const self = useQuery(me).data;
  const role = self?.tenants.find((one) => one.tenant_slug === tenant)?.role;
  const mayAsk = self?.user.super_admin || role === 'admin';
  const members = useQuery({ ...membersOf(tenant), enabled: mayAsk }).data?.data;
  const agents = useQuery(agentsOf(tenant)).data?.data;
  return useMemo(() => {
    const people = new Map(members?.map((one) => [one.user_id, one.name]));
    const machines = new Map(agents?.map((one) => [one.id, one.name]));
    return (author) => {
      const [kind, id = ''] = author.split(':', 2);
      if (kind === 'user')
        return id === self?.user.id ? t.conversations.you : (people.get(id) ?? t.conversations.person);
      if (kind === 'agent') return machines.get(id) ?? t.conversations.agent;
      if (kind === 'lead') return customer ?? t.conversations.customer;
      if (kind === 'api_key') return t.conversations.program;
      if (kind === 'channel') return t.channels.thread.byPhone;
      return kind === 'system' || kind === 'countdown' ? 'Quipu' : author;
    };
  }, [t, self, members, agents, customer]);
}
