import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { type Connection, changeChannel, channelOf, channelsKey } from './queries';

/** Saves some of a connection; the rest stays as it is. */
export function useChannelSaving(
  tenant: string,
  connection: Connection,
  saved: (now: Connection) => unknown,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['UpdateChannel']) => changeChannel(connection.id, body),
    onSuccess: async (now) => {
      queries.setQueryData(channelOf(tenant, now.id).queryKey, now);
      await saved(now);
      await queries.invalidateQueries({ queryKey: channelsKey(tenant) });
    },
  });
}
