import { AppShell, Burger, Button, Group, Kbd, NavLink, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { followChanges } from '../api/live';
import { useTexts } from '../i18n';
import { TextLink } from '../parts/links';
import { AccountMenu } from './AccountMenu';
import { QuipuMark } from './QuipuMark';
import { SECTIONS } from './sections';
import { TenantSwitcher } from './TenantSwitcher';

/** Comes after what is seen at once. */
const CommandPalette = lazy(async () => ({ default: (await import('./CommandPalette')).CommandPalette }));

export function Shell() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const [open, { toggle, close }] = useDisclosure();
  const queries = useQueryClient();
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
            <Burger opened={open} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t.nav.menu} />
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
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" component="nav" aria-label={t.nav.label}>
        {SECTIONS.map(({ to, name, exact }) => (
          <Link
            key={name}
            to={to}
            params={{ tenant }}
            activeOptions={{ exact }}
            onClick={close}
            style={{ textDecoration: 'none', color: 'inherit' }}
          >
            {({ isActive }) => (
              <NavLink component="span" label={t.nav[name]} active={isActive} variant="light" />
            )}
          </Link>
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      <Suspense>
        <CommandPalette tenant={tenant} />
      </Suspense>
    </AppShell>
  );
}
