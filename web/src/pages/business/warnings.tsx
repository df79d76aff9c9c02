import { Alert, List } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { useLanguage, useTexts } from '../../i18n';
import { TextLink } from '../../parts/links';
import { useSetting } from './setting';

type Warning = Schemas['Warning'];

/** What was saved although it will not work as it is. */
export function WarningList({ warnings }: { warnings: Warning[] }) {
  const t = useTexts();
  const language = useLanguage();
  const { tenant } = useSetting();
  if (warnings.length === 0) return null;
  const booked = warnings.some((warning) => (warning.appointments?.length ?? 0) > 0);
  return (
    <Alert color="ochre" title={t.business.warnings} role="status">
      <List size="sm" spacing={4}>
        {warnings.map((warning) => (
          <List.Item key={warning.code}>{warning[language]}</List.Item>
        ))}
      </List>
      {booked && (
        <TextLink to="/t/$tenant/agenda" params={{ tenant }} size="sm">
          {t.business.seeAgenda}
        </TextLink>
      )}
    </Alert>
  );
}
