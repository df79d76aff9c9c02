import { Spotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '../i18n';
import { agentsOf } from '../pages/agents/queries';
import { basesOf } from '../pages/knowledge/queries';
import { useRights } from '../pages/settings/rights';
import { sectionsFor as settingsFor } from '../pages/settings/sections';
import { sectionsFor } from './sections';
import { useTenants } from './TenantSwitcher';

/** Goes anywhere by name, from anywhere, with the keyboard alone. */
export function CommandPalette({ tenant }: { tenant: string }) {
  const t = useTexts();
  const navigate = useNavigate();
  const rights = useRights(tenant);
  const tenants = useTenants();
  const agents = useQuery(agentsOf(tenant)).data?.data ?? [];
  const bases = useQuery(basesOf(tenant)).data?.data ?? [];
  const groups = [
    {
      group: t.nav.label,
      actions: sectionsFor(rights.may).map(({ to, name }) => ({
        id: name,
        label: t.nav[name],
        onClick: () => navigate({ to, params: { tenant } }),
      })),
    },
    {
      group: t.nav.settings,
      actions: settingsFor(rights).map(({ to, name }) => ({
        id: `settings-${name}`,
        label: t.settings.sections[name],
        onClick: () => navigate({ to, params: { tenant } }),
      })),
    },
    {
      group: t.nav.agents,
      actions: agents.map((agent) => ({
        id: agent.id,
        label: agent.name,
        onClick: () => navigate({ to: '/t/$tenant/agents/$agent', params: { tenant, agent: agent.slug } }),
      })),
    },
    {
      group: t.nav.knowledge,
      actions: bases.map((kb) => ({
        id: kb.id,
        label: kb.name,
        onClick: () => navigate({ to: '/t/$tenant/knowledge/$kb', params: { tenant, kb: kb.id } }),
      })),
    },
    {
      group: t.nav.tenant,
      actions: tenants
        .filter((choice) => choice.slug !== tenant)
        .map((choice) => ({
          id: `tenant-${choice.slug}`,
          label: choice.name,
          onClick: () => navigate({ to: '/t/$tenant', params: { tenant: choice.slug } }),
        })),
    },
  ];
  return (
    <Spotlight
      actions={groups.filter((group) => group.actions.length > 0)}
      shortcut={['mod + K']}
      nothingFound={t.nav.nothing}
      highlightQuery
      scrollable
      limit={60}
      maxHeight={420}
      searchProps={{ placeholder: t.nav.palette, 'aria-label': t.nav.palette }}
    />
  );
}
