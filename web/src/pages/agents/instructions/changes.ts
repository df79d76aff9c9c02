import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas, told } from '../../../api/client';
import { useOnce } from '../../settings/once';
import { instructionsKey } from '../queries';

/** What goes into a prompt changes with the instructions. */
export function useRefresh(tenant: string) {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: instructionsKey(tenant) }),
      queries.invalidateQueries({ queryKey: [tenant, 'agents'] }),
    ]);
}

export function useInstructionPatch(tenant: string, id: string) {
  const refresh = useRefresh(tenant);
  return useMutation({
    mutationFn: (body: Partial<Schemas['Instruction']>) =>
      told(
        api.PATCH('/api/v1/instructions/{instruction_id}', {
          params: { path: { instruction_id: id } },
          body: body as Record<string, never>,
        }),
      ),
    onSuccess: refresh,
  });
}

/** Adds an instruction, or changes the one with this id. */
export function useInstructionSaving(tenant: string, id: string | undefined) {
  const refresh = useRefresh(tenant);
  const key = useOnce();
  return useMutation({
    mutationFn: (body: Schemas['Instruction']) =>
      id
        ? told(
            api.PATCH('/api/v1/instructions/{instruction_id}', {
              params: { path: { instruction_id: id } },
              body: body as unknown as Record<string, never>,
            }),
          )
        : told(api.POST('/api/v1/instructions', { params: { header: key.header(body) }, body })),
    onSuccess: async () => {
      key.forget();
      await refresh();
    },
  });
}

export function useInstructionDeletion(tenant: string, id: string) {
  const refresh = useRefresh(tenant);
  return useMutation({
    mutationFn: () =>
      told(api.DELETE('/api/v1/instructions/{instruction_id}', { params: { path: { instruction_id: id } } })),
    onSuccess: refresh,
  });
}
