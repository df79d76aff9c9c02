import { Button, Center, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { me } from '../api/session';
import { useTexts } from '../i18n';
import { CardLink } from '../parts/links';
import { AccountMenu } from '../shell/AccountMenu';
import { QuipuMark } from '../shell/QuipuMark';
import { useTenants } from '../shell/TenantSwitcher';
import { NewTenantForm } from './new-tenant';
import { matcher, SearchBox } from './settings/parts/search-box';
import { demoOf } from './starting';

/** From so many on they are searched. */
const MANY = 9;
const MOST_SHOWN = 60;

/** Where somebody of several tenants says which one, and whoever runs the platform makes one. */
export function ChoosePage() {
  const t = useTexts();
  const navigate = useNavigate();
  const tenants = useTenants();
  const runs = useQuery(me).data?.user.super_admin ?? false;
  const [making, make] = useState(false);
  const [words, search] = useState<string>();
  useEffect(() => {
    document.title = `${t.choose.title} · Quipu`;
  }, [t]);
  const own = tenants.filter(({ slug }) => !demoOf(slug));
  const wanted = matcher<(typeof own)[number]>(words, ({ name, slug }) => `${name} ${slug}`);
  const found = wanted ? own.filter(wanted) : own;
  const demos = tenants.filter(({ slug }) => demoOf(slug));
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={720} gap="lg">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Group gap="sm" wrap="nowrap" align="flex-start">
            <QuipuMark size={36} />
            <div>
              <Title order={1} size="h3">
                {t.choose.title}
              </Title>
              <Text c="dimmed" size="sm">
                {tenants.length > 0 || runs ? t.choose.hint : t.choose.none}
              </Text>
            </div>
          </Group>
          <AccountMenu />
        </Group>
        {making ? (
          <NewTenantForm
            made={(slug) => navigate({ to: '/t/$tenant', params: { tenant: slug } })}
            cancel={() => make(false)}
          />
        ) : (
          <>
            {own.length > 0 && (
              <section aria-label={t.choose.own}>
                <Title order={2} size="h5" mb="xs">
                  {t.choose.own}
                </Title>
                {own.length >= MANY && <SearchBox value={words} change={search} />}
                {found.length === 0 && <Text c="dimmed">{t.choose.nothing}</Text>}
                <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs">
                  {found.slice(0, MOST_SHOWN).map((tenant) => (
                    <CardLink key={tenant.slug} to="/t/$tenant" params={{ tenant: tenant.slug }}>
                      <Text fw={600}>{tenant.name}</Text>
                      <Text size="xs" c="dimmed">
                        {tenant.slug}
                      </Text>
                    </CardLink>
                  ))}
                </SimpleGrid>
                {found.length > MOST_SHOWN && (
                  <Text c="dimmed" size="sm" mt="xs">
                    {t.choose.more(found.length - MOST_SHOWN)}
                  </Text>
                )}
              </section>
            )}
            {runs && (
              <Button onClick={() => make(true)} style={{ alignSelf: 'flex-start' }}>
                {t.choose.create}
              </Button>
            )}
            {demos.length > 0 && <DemoCards demos={demos} />}
          </>
        )}
      </Stack>
    </Center>
  );
}

function DemoCards({ demos }: { demos: { slug: string; name: string }[] }) {
  const t = useTexts();
  return (
    <section aria-label={t.choose.demos}>
      <Title order={2} size="h5">
        {t.choose.demos}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t.choose.demosText}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {demos.map(({ slug, name }) => {
          const kind = demoOf(slug);
          return (
            <CardLink key={slug} to="/t/$tenant" params={{ tenant: slug }}>
              <Stack gap={4}>
                <Text fw={600}>{name}</Text>
                {kind && (
                  <>
                    <Text size="xs" c="dimmed">
                      {t.agents.verticals[kind]}
                    </Text>
                    <Text size="sm">{t.choose.demoTexts[kind]}</Text>
                  </>
                )}
              </Stack>
            </CardLink>
          );
        })}
      </SimpleGrid>
    </section>
  );
}
