import { Accordion, List, Paper, SimpleGrid, Text } from '@mantine/core';
import { useTexts } from '../../../i18n';
import { LEAST, PERMISSIONS, ROLES } from '../rights';

/** Who may do what: each role with what it adds to the one before. */
export function RoleGuide() {
  const t = useTexts();
  return (
    <Accordion variant="contained" radius="md" order={2}>
      <Accordion.Item value="roles">
        <Accordion.Control>{t.settings.team.guide}</Accordion.Control>
        <Accordion.Panel>
          <SimpleGrid cols={{ base: 1, lg: 3 }}>
            {ROLES.map((role) => (
              <Paper key={role} withBorder p="sm">
                <Text fw={600}>{t.settings.roles[role]}</Text>
                <Text size="sm" c="dimmed" mb="xs">
                  {t.settings.team.roleTexts[role]}
                </Text>
                <List size="sm" spacing={2}>
                  {PERMISSIONS.filter((permission) => LEAST[permission] === role).map((permission) => (
                    <List.Item key={permission}>{t.settings.permissions[permission]}</List.Item>
                  ))}
                </List>
              </Paper>
            ))}
          </SimpleGrid>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
