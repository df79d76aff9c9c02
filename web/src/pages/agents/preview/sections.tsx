import { Accordion, Badge, Box, Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n';
import { TextLink } from '../../../parts/links';
import { useFormats } from '../../customers/formats';
import type { SavedAgent } from '../queries';
import { LineList } from '../versions/difference';

type Props = { tenant: string; agent: SavedAgent; prompt: Schemas['PromptPreview'] };
type Section = Schemas['PreviewedSection'];

/** Where a section of the prompt can be changed. */
const PLACES: Record<string, string> = {
  identity: 'settings',
  personality: 'settings',
  own_instructions: 'settings',
  critical_instructions: 'instructions',
  instructions: 'instructions',
  tools: 'tools',
};

/** The sections of a prompt, each with its share, its text and what differs from what is live. */
export function PromptSections({ tenant, agent, prompt }: Props) {
  const t = useTexts();
  const names: Record<string, string> = t.agents.prompt.names;
  const formats = useFormats(tenant);
  const most = Math.max(...prompt.sections.map((section) => section.tokens), 1);
  return (
    <Accordion
      multiple
      variant="contained"
      order={3}
      chevronPosition="left"
      styles={{ item: { backgroundColor: 'transparent' } }}
    >
      {prompt.sections.map((section) => {
        const label = names[section.name] ?? section.name;
        const share = section.tokens / Math.max(prompt.tokens, 1);
        return (
          <Accordion.Item key={section.name} value={section.name}>
            <Accordion.Control>
              <Group justify="space-between" gap={4} wrap="nowrap">
                <Group gap={6}>
                  <Text size="sm" fw={500}>
                    {label}
                  </Text>
                  <ChangeBadge section={section} />
                </Group>
                <Text size="xs" c="dimmed" ta="right" style={{ whiteSpace: 'nowrap' }}>
                  {t.agents.prompt.share(formats.count(section.tokens), formats.percent(share))}
                </Text>
              </Group>
              <Progress value={(section.tokens / most) * 100} size="xs" mt={6} aria-label={label} />
            </Accordion.Control>
            <Accordion.Panel>
              <SectionText tenant={tenant} agent={agent} section={section} label={label} />
            </Accordion.Panel>
          </Accordion.Item>
        );
      })}
    </Accordion>
  );
}

function ChangeBadge({ section }: { section: Section }) {
  const t = useTexts();
  if (section.changes.length === 0) return null;
  return (
    <Badge size="sm" variant="light" color="ochre" tt="none">
      {section.text ? t.preview.changed : t.preview.gone}
    </Badge>
  );
}

function SectionText({
  tenant,
  agent,
  section,
  label,
}: Omit<Props, 'prompt'> & { section: Section; label: string }) {
  const t = useTexts();
  const [view, show] = useState<'text' | 'differences'>('text');
  const differs = section.changes.length > 0;
  const place = PLACES[section.name];
  const lead = place === 'tools' ? t.agents.prompt.see : t.agents.prompt.edit;
  const compares = differs && (view === 'differences' || !section.text);
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        {differs && section.text ? (
          <SegmentedControl
            size="xs"
            aria-label={t.preview.view(label)}
            value={view}
            onChange={(value) => show(value as typeof view)}
            data={[
              { value: 'text', label: t.preview.text },
              { value: 'differences', label: t.preview.differences },
            ]}
          />
        ) : (
          <span />
        )}
        {place && (
          <TextLink
            to="/t/$tenant/agents/$agent"
            params={{ tenant, agent: agent.slug }}
            search={{ tab: place }}
            size="sm"
            underline="always"
            aria-label={`${lead}: ${label}`}
          >
            {lead}
          </TextLink>
        )}
      </Group>
      {compares ? (
        <LineList lines={section.changes} label={label} />
      ) : (
        <Box
          component="pre"
          m={0}
          fz="sm"
          ff="inherit"
          tabIndex={0}
          role="region"
          aria-label={`${t.preview.text}: ${label}`}
          style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 480, overflowY: 'auto' }}
        >
          {section.text}
        </Box>
      )}
    </Stack>
  );
}
