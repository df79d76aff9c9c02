import { Box, Flex, NativeSelect, NavLink, Text } from '@mantine/core';
import { Link, Outlet, useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { useTexts } from '../../i18n';
import { useRights } from './rights';
import { SECTIONS, type SettingsSection, sectionsFor } from './sections';

/** The pages of settings beside each other: a list on wide screens, a choice on narrow ones. */
export function SettingsLayout() {
  const t = useTexts();
  const { tenant } = useParams({ from: '/inside/t/$tenant' });
  const seen = sectionsFor(useRights(tenant));
  const groups = [
    { name: t.settings.groups.own, sections: seen.filter((section) => section.name === 'account') },
    {
      name: t.settings.groups.tenant,
      sections: seen.filter((section) => section.name !== 'account' && !('platform' in section)),
    },
    { name: t.settings.groups.platform, sections: seen.filter((section) => 'platform' in section) },
  ].filter((group) => group.sections.length > 0);
  return (
    <Flex direction={{ base: 'column', md: 'row' }} gap="lg" maw="var(--quipu-width)" mx="auto">
      <Box component="nav" aria-label={t.settings.title} w={200} flex="none" visibleFrom="md">
        {groups.map((group) => (
          <Box key={group.name} mb="md">
            <Text size="xs" c="dimmed" fw={600} px="sm" mb={4}>
              {group.name}
            </Text>
            {group.sections.map((section) => (
              <Link
                key={section.name}
                to={section.to}
                params={{ tenant }}
                activeOptions={{ exact: section.name === 'account', includeSearch: false }}
                style={{ textDecoration: 'none', color: 'inherit' }}
              >
                {({ isActive }) => (
                  <NavLink
                    component="span"
                    label={t.settings.sections[section.name]}
                    active={isActive}
                    variant="light"
                    py={6}
                  />
                )}
              </Link>
            ))}
          </Box>
        ))}
      </Box>
      <SectionChoice tenant={tenant} groups={groups} />
      <Box flex={1} miw={0}>
        <Outlet />
      </Box>
    </Flex>
  );
}

function SectionChoice({
  tenant,
  groups,
}: {
  tenant: string;
  groups: { name: string; sections: SettingsSection[] }[];
}) {
  const t = useTexts();
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/\/$/, '') });
  const here = SECTIONS.find((section) => section.to.replace('$tenant', tenant) === path);
  return (
    <NativeSelect
      hiddenFrom="md"
      label={t.settings.title}
      value={here?.name ?? 'account'}
      data={groups.map((group) => ({
        group: group.name,
        items: group.sections.map((section) => ({
          value: section.name,
          label: t.settings.sections[section.name],
        })),
      }))}
      onChange={(event) => {
        const chosen = SECTIONS.find((section) => section.name === event.currentTarget.value);
        if (chosen) void navigate({ to: chosen.to, params: { tenant } });
      }}
    />
  );
}
