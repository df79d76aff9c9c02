import { Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../../i18n';
import { agentsOf } from '../../agents/queries';

/** What stands for whichever agent is the main one. */
export const MAIN = 'main';

/** The agent of a form as the server wants it. */
export const agentOf = (chosen: string | null) => (chosen === MAIN ? null : chosen);

/** Who answers: the main agent, or one by name. */
export function AgentSelect({ tenant, ...field }: { tenant: string } & Omit<SelectProps, 'data'>) {
  const t = useTexts();
  const agents = useQuery(agentsOf(tenant)).data?.data ?? [];
  const data = [
    { value: MAIN, label: t.channels.mainAgent },
    ...agents.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return <Select label={t.channels.fields.agent} data={data} allowDeselect={false} {...field} />;
}
