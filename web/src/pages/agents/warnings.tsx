import { Alert, List, Text } from '@mantine/core';
import { useTexts } from '../../i18n';
import { TextLink } from '../../parts/links';
import type { SavedAgent } from './queries';

const SLOTS = ['model', 'fallback_model', 'voice_model', 'experiment'] as const;

/** What of an agent was saved and will not work. */
export function AgentWarnings({ tenant, agent }: { tenant: string; agent: SavedAgent }) {
  const t = useTexts();
  if (agent.warnings.length === 0) return null;
  const nameOf = (field: string) => {
    const slot = SLOTS.find((one) => one === field.split('.')[1]);
    return slot ? t.agents.model.slots[slot] : field;
  };
  return (
    <Alert color="ochre" title={t.agents.warnings} role="status">
      <List size="sm">
        {agent.warnings.map((warning) => (
          <List.Item key={warning.field} style={{ overflowWrap: 'anywhere' }}>
            <TextLink
              to="/t/$tenant/agents/$agent"
              params={{ tenant, agent: agent.slug }}
              search={{ tab: 'model' }}
              size="sm"
              underline="always"
              c="inherit"
            >
              {nameOf(warning.field)}
            </TextLink>
            : {warning.message}
          </List.Item>
        ))}
      </List>
      <Text size="sm" mt={4}>
        {t.agents.warningsHelp}
      </Text>
    </Alert>
  );
}
