import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** A page with its title, which is the tab's as well, and what can be done there. */
export function Page({
  title,
  intro,
  actions,
  children,
}: {
  title: string;
  intro?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Quipu`;
  }, [title]);
  return (
    <Stack maw="var(--quipu-width)" mx="auto" gap="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box>
          <Title order={1} size="h2">
            {title}
          </Title>
          {intro && (
            <Text c="dimmed" size="sm" maw={640}>
              {intro}
            </Text>
          )}
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

/** What stands where nothing is yet, and the one thing to do about it. */
export function EmptyState({ title, text, action }: { title: string; text: string; action?: ReactNode }) {
  return (
    <Paper withBorder p="xl" ta="center">
      <Stack align="center" gap="xs">
        <Text fw={600}>{title}</Text>
        <Text c="dimmed" size="sm" maw={480}>
          {text}
        </Text>
        {action}
      </Stack>
    </Paper>
  );
}
