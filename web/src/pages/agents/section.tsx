import { Alert, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import { problemsOf } from './forms';

/** Fields that belong together, with what they are about. */
export function FormSection({
  title,
  text,
  children,
}: {
  title: string;
  text?: string;
  children: ReactNode;
}) {
  return (
    <Paper withBorder p="md" component="section">
      <Stack>
        <div>
          <Title order={2} size="h5">
            {title}
          </Title>
          {text && (
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Paper>
  );
}

/** What cannot be changed by whoever looks at it is dimmed as a whole, and says why. */
export function Editable({ allowed, children }: { allowed: boolean; children: ReactNode }) {
  const t = useTexts();
  return (
    <>
      {!allowed && <Alert color="ochre">{t.agents.onlyManagers}</Alert>}
      <fieldset disabled={!allowed} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
        {children}
      </fieldset>
    </>
  );
}

/** Why a form was not saved, in few words where the fields say it already. */
export function SaveFailure({ error }: { error: unknown }) {
  const t = useTexts();
  if (Object.keys(problemsOf(error, t)).length === 0) return <FailureNotice error={error} />;
  return (
    <Alert color="red" role="alert">
      {t.agents.fixFields}
    </Alert>
  );
}
