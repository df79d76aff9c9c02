import { Menu, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, told } from '../api/client';
import { me } from '../api/session';
import { useTexts } from '../i18n';

type Choice = { slug: string; name: string };

const PAGE = 200;
/** More than an installation has; what would stand behind them is found by its address. */
const MOST_PAGES = 25;
/** The menu is for a quick change; the page of all of them has a search. */
const MOST_LISTED = 20;

async function allTenants(): Promise<Choice[]> {
  const found: Choice[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = { limit: PAGE, ...(cursor && { cursor }) };
    const { data, next_cursor } = await told(api.GET('/api/v1/tenants', { params: { query } }));
    found.push(...data.map(({ slug, name }) => ({ slug, name })));
    if (!next_cursor) break;
    cursor = next_cursor;
  }
  return found;
}

/** The tenants that somebody may enter: their own, or all of them for whoever runs the platform. */
export function useTenants(): Choice[] {
  const known = useQuery(me).data;
  const all = useQuery({
    queryKey: ['tenants'],
    enabled: known?.user.super_admin ?? false,
    queryFn: allTenants,
  });
  const own = known?.tenants.map((tenant) => ({ slug: tenant.tenant_slug, name: tenant.tenant_name })) ?? [];
  return all.data ?? own;
}

export function TenantSwitcher({ tenant }: { tenant: string }) {
  const t = useTexts();
  const navigate = useNavigate();
  const tenants = useTenants();
  const current = tenants.find((choice) => choice.slug === tenant);
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton aria-label={`${t.nav.tenant}: ${current?.name ?? tenant}`} px={8} py={4}>
          <Text size="sm" truncate maw={{ base: 140, sm: 260 }}>
            {current?.name ?? tenant} ▾
          </Text>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {tenants.slice(0, MOST_LISTED).map((choice) => (
          <Menu.Item
            key={choice.slug}
            fw={choice.slug === tenant ? 700 : undefined}
            onClick={() => navigate({ to: '/t/$tenant', params: { tenant: choice.slug } })}
          >
            {choice.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => navigate({ to: '/businesses' })}>{t.nav.allTenants}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
