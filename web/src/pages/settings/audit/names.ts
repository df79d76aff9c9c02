import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTexts } from '../../../i18n';
import { agentsOf } from '../../agents/queries';
import { basesOf } from '../../knowledge/queries';
import { keysOf, membersOf } from '../queries';
import { useRights } from '../rights';

const short = (id: string) => id.slice(-6);

/** Calls those who did something, and what they did it to, by the names that people gave them. */
export function useNames(tenant: string) {
  const t = useTexts();
  const { user } = useRights(tenant);
  const members = useInfiniteQuery(membersOf(tenant)).data?.pages.flatMap((page) => page.data) ?? [];
  const keys = useInfiniteQuery(keysOf(tenant)).data?.pages.flatMap((page) => page.data) ?? [];
  const agents = useQuery(agentsOf(tenant)).data?.data ?? [];
  const bases = useQuery(basesOf(tenant)).data?.data ?? [];
  const kinds: Record<string, string> = t.settings.audit.kinds;

  const named = (kind: string, id: string): string | undefined => {
    if (kind === 'user')
      return user?.id === id ? user.name : members.find((member) => member.user_id === id)?.name;
    if (kind === 'api_key') return keys.find((key) => key.id === id)?.name;
    if (kind === 'agent') return agents.find((agent) => agent.id === id)?.name;
    if (kind === 'knowledge_base') return bases.find((base) => base.id === id)?.name;
    return kind === 'secret' ? id : undefined;
  };
  const call = (text: string): string => {
    const at = text.indexOf(':');
    if (at < 0) return kinds[text] ?? text;
    const [kind, id] = [text.slice(0, at), text.slice(at + 1)];
    return `${kinds[kind] ?? kind} ${named(kind, id) ?? `#${short(id)}`}`;
  };
  return {
    target: call,
    actor: (text: string) => {
      if (user && text === `user:${user.id}`) return t.settings.audit.you;
      const at = text.indexOf(':');
      return (at > 0 && text.startsWith('user:') && named('user', text.slice(at + 1))) || call(text);
    },
  };
}
