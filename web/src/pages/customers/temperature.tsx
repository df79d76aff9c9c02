import { Badge, Menu, Text, UnstyledButton } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, told } from '../../api/client';
import { useTexts } from '../../i18n';
import { done, failed } from '../../parts/notify';
import { leadChanged, TEMPERATURES, type Temperature } from './queries';

/** A colour is never the only thing that tells them apart. */
const COLOURS = { hot: 'ochre', warm: 'teal', cold: 'gray', none: 'gray' } as const;

export function TemperatureBadge({ temperature }: { temperature: Temperature | null | undefined }) {
  const t = useTexts();
  const known = temperature ?? 'none';
  return (
    <Badge variant={known === 'none' ? 'outline' : 'light'} color={COLOURS[known]} size="sm" tt="none">
      {t.customers.temperatures[known]}
    </Badge>
  );
}

/** Changes how close somebody is to buying, wherever they are shown. */
export function useWarming(tenant: string) {
  const t = useTexts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ lead, temperature }: { lead: string; temperature: Temperature | null }) =>
      told(
        api.PATCH('/api/v1/leads/{lead_id}', {
          params: { path: { lead_id: lead } },
          body: { temperature },
        }),
      ),
    onSuccess: async (lead) => {
      done(t.customers.moved(lead.name ?? t.customers.unnamed, lead.temperature ?? 'none'));
      await leadChanged(queries, tenant);
    },
    onError: failed,
  });
}

/** The temperature of somebody, and the others that it can become. */
export function TemperatureMenu({
  tenant,
  lead,
  name,
  temperature,
  plain = false,
}: {
  tenant: string;
  lead: string;
  name: string;
  temperature: Temperature | null | undefined;
  /** Where the temperature shows already. */
  plain?: boolean;
}) {
  const t = useTexts();
  const warming = useWarming(tenant);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <UnstyledButton
          aria-label={t.customers.changeTemperature(name, temperature ?? 'none')}
          disabled={warming.isPending}
        >
          {plain ? (
            <Text span px={6} fw={700} aria-hidden>
              ⋯
            </Text>
          ) : (
            <TemperatureBadge temperature={temperature} />
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.customers.temperature}</Menu.Label>
        {[...TEMPERATURES, null].map((one) => (
          <Menu.Item
            key={one ?? 'none'}
            disabled={one === (temperature ?? null)}
            onClick={() => warming.mutate({ lead, temperature: one })}
          >
            {t.customers.temperatures[one ?? 'none']}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
