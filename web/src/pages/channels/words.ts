import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../i18n';
import { agentsOf } from '../agents/queries';
import type { Connection } from './queries';

/** What people call whoever answers on a connection. */
export function useAnswerer(tenant: string) {
  const t = useTexts();
  const agents = useQuery(agentsOf(tenant)).data?.data;
  return ({ agent_id: id }: Pick<Connection, 'agent_id'>) => {
    if (id) return agents?.find((agent) => agent.id === id)?.name ?? t.channels.unknownAgent;
    const main = agents?.find((agent) => agent.active);
    return main ? `${t.channels.mainAgent} (${main.name})` : t.channels.mainAgent;
  };
}

/** Sentences of the server begin in the middle of one. */
export const asSentence = (text: string) => {
  const begun = text.charAt(0).toLocaleUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
};
