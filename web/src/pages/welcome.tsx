import { Button, Center, Group, Paper, Radio, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { tellLanguage } from '../api/session';
import { LANGUAGES, type Language, useLanguage, useTexts } from '../i18n';
import { FailureNotice } from '../parts/failures';
import { failed } from '../parts/notify';
import { zoneChoices } from './settings/places';
import { chosenZone, rememberZone } from './starting';

/** The first time somebody is here: how they read, and where they are. */
export function WelcomePage() {
  const t = useTexts();
  const language = useLanguage();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [zone, setZone] = useState(chosenZone);
  useEffect(() => {
    document.title = `${t.welcome.title} · Quipu`;
  }, [t]);
  const choose = (chosen: string) => tellLanguage(queries, chosen as Language, 'here').catch(failed);
  const saving = useMutation({
    mutationFn: async () => {
      rememberZone(zone);
      await tellLanguage(queries, language);
    },
    onSuccess: () => navigate({ to: '/' }),
  });
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={480}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            saving.mutate();
          }}
        >
          <Stack>
            <div>
              <Title order={1} size="h3">
                {t.welcome.title}
              </Title>
              <Text size="sm" c="dimmed">
                {t.welcome.text}
              </Text>
            </div>
            {saving.isError && <FailureNotice error={saving.error} />}
            <Radio.Group label={t.nav.language} value={language} onChange={choose}>
              <SimpleGrid cols={2} mt={6}>
                {LANGUAGES.map(({ value, name }) => (
                  <Radio.Card key={value} value={value} p="md" radius="md" lang={value}>
                    <Group gap="sm" wrap="nowrap">
                      <Radio.Indicator />
                      <Text fw={600}>{name}</Text>
                    </Group>
                  </Radio.Card>
                ))}
              </SimpleGrid>
            </Radio.Group>
            <Select
              label={t.welcome.zone}
              description={t.welcome.zoneHelp}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              data={zoneChoices(zone)}
              value={zone}
              onChange={(value) => value && setZone(value)}
              limit={50}
              searchable
              allowDeselect={false}
              required
            />
            <Button type="submit" loading={saving.isPending}>
              {t.welcome.next}
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
