import { ActionIcon, AppShell, Burger, Button, Group, Indicator, Kbd, NavLink, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { followChanges } from '../api/live';
import { useTexts } from '../i18n';
import { useUnseen } from '../pages/orders/arrivals';
import { useRights } from '../pages/settings/rights';
import { TextLink } from '../parts/links';
import { AccountMenu } from './AccountMenu';
import { NewOrders, NewOrdersBadge } from './NewOrders';
import { QuipuMark } from './QuipuMark';
import { SearchMark } from './SearchMark';
import { sectionsFor } from './sections';
import { TenantSwitcher } from './TenantSwitcher';

/** Comes after what is seen at once. */
const CommandPalette = lazy(async () => ({ default: (await import('./CommandPalette')).CommandPalette }));

export function Shell() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const [open, { toggle, close }] = useDisclosure();
  const queries = useQueryClient();
  const { may } = useRights(tenant);
  const fresh = useUnseen(tenant).size;
  useEffect(() => followChanges(tenant, queries), [tenant, queries]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !open } }}
      padding="md"
    >
      <AppShell.Header>
        <a className="skip" href="#content">
          {t.common.skip}
        </a>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Indicator color="ochre.8" disabled={fresh === 0 || open} hiddenFrom="sm">
              <Burger opened={open} onClick={toggle} size="sm" aria-label={t.nav.menu} />
            </Indicator>
            <TextLink
              to="/t/$tenant"
              params={{ tenant }}
              underline="never"
              c="inherit"
              aria-label={t.nav.home}
            >
              <Group gap={8} wrap="nowrap">
                <QuipuMark />
                <Text fw={700} visibleFrom="xs">
                  Quipu
                </Text>
              </Group>
            </TextLink>
            <TenantSwitcher tenant={tenant} />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Button
              variant="default"
              size="xs"
              onClick={spotlight.open}
              visibleFrom="sm"
              rightSection={<Kbd size="xs">Ctrl K</Kbd>}
            >
              {t.nav.palette}
            </Button>
            <ActionIcon
              variant="default"
              size={30}
              onClick={spotlight.open}
              hiddenFrom="sm"
              aria-label={t.nav.palette}
            >
              <SearchMark />
            </ActionIcon>
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" component="nav" aria-label={t.nav.label}>
        {sectionsFor(may).map(({ to, name, exact }) => (
          <Link
            key={name}
            to={to}
            params={{ tenant }}
            activeOptions={{ exact }}
            onClick={close}
            style={{ textDecoration: 'none', color: 'inherit' }}
          >
            {({ isActive }) => (
              <NavLink
                component="span"
                label={t.nav[name]}
                active={isActive}
                variant="light"
                rightSection={name === 'orders' && <NewOrdersBadge count={fresh} />}
              />
            )}
          </Link>
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      <NewOrders key={tenant} tenant={tenant} />
      <Suspense>
        <CommandPalette tenant={tenant} />
      </Suspense>
    </AppShell>
  );
}
