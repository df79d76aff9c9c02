import { Button, Code, CopyButton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTexts } from '../../../i18n';
import { agentPages } from '../../agents/queries';

/** What a program sends to talk with an agent, ready to be tried in a terminal. */
export function FirstCall({ tenant, apiKey }: { tenant: string; apiKey: string }) {
  const t = useTexts();
  const agents = useInfiniteQuery(agentPages(tenant));
  const agent = agents.data?.pages[0]?.data[0];
  if (!agent) return null;
  const asked = JSON.stringify({
    messages: [{ role: 'user', content: t.settings.keys.firstWords }],
    stream: false,
  });
  const call = [
    `curl -s ${window.location.origin}/api/agents/${agent.slug}/chat`,
    `-H 'Authorization: Bearer ${apiKey}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${asked}'`,
  ].join(' \\\n  ');
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{t.settings.keys.firstCall(agent.name)}</Text>
      <Code block w="100%" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {call}
      </Code>
      <CopyButton value={call}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="subtle" onClick={copy}>
            {copied ? t.common.copied : t.common.copy}
          </Button>
        )}
      </CopyButton>
    </Stack>
  );
}
