import { Button, Checkbox, Group, SimpleGrid, Stack } from '@mantine/core';
import { useTexts } from '../../../i18n';
import { PERMISSIONS, type Permission, useRights } from '../rights';

/** What a key may do, which is never more than whoever makes it may. */
export function ScopeChoice({
  tenant,
  value,
  onChange,
  error,
}: {
  tenant: string;
  value: Permission[];
  onChange: (scopes: Permission[]) => void;
  error?: React.ReactNode;
}) {
  const t = useTexts();
  const { may } = useRights(tenant);
  const offered = PERMISSIONS.filter(may);
  const presets = [
    [t.settings.keys.presets.chat, ['chat'] as Permission[]],
    [t.settings.keys.presets.read, offered.filter((scope) => scope.endsWith(':read'))],
    [t.settings.keys.presets.all, offered],
  ] as const;
  return (
    <Checkbox.Group
      label={t.settings.keys.scopes}
      description={t.settings.keys.scopesHelp}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      required
      value={value}
      onChange={(scopes) => onChange(scopes as Permission[])}
      error={error}
    >
      <Stack gap="xs" mt="xs">
        <Group gap="xs">
          {presets.map(([name, scopes]) => (
            <Button key={name} size="compact-xs" variant="default" onClick={() => onChange([...scopes])}>
              {name}
            </Button>
          ))}
        </Group>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={6}>
          {offered.map((scope) => (
            <Checkbox key={scope} value={scope} label={t.settings.permissions[scope]} size="sm" />
          ))}
        </SimpleGrid>
      </Stack>
    </Checkbox.Group>
  );
}
