import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../api/client';
import { agentOf, type SavedAgent } from './queries';

export { useGuard } from '../../parts/guard';
export { problemsOf } from '../../parts/problems';

type Form = {
  setErrors: (errors: Record<string, string>) => void;
  getInputNode: (path: string) => HTMLElement | null;
};

/** Shows problems beside their fields and leads to the first of them. */
export function showProblems(form: Form, problems: Record<string, string>) {
  form.setErrors(problems);
  const [first] = Object.keys(problems);
  if (first) form.getInputNode(first)?.focus();
}

/** Saves some of an agent; the rest stays as it is. */
export function useAgentSaving(tenant: string, agent: SavedAgent, saved: (agent: SavedAgent) => unknown) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['UpdateAgent']) =>
      told(api.PATCH('/api/v1/agents/{agent}', { params: { path: { agent: agent.id } }, body })),
    onSuccess: async (changed) => {
      queries.setQueryData(agentOf(tenant, changed.slug).queryKey, changed);
      // Whoever moves to a new address moves before the old one is asked for again.
      await saved(changed);
      await queries.invalidateQueries({ queryKey: [tenant, 'agents'] });
    },
  });
}
