import { Box, Button, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n';
import { instructionPages } from '../agents/queries';
import { useRights } from '../settings/rights';
import { AskAgain } from './again';
import { OriginCard } from './card';
import { OriginEditor } from './editor';
import { NewFaq } from './new-faq';
import { type Origin, originsOf } from './origins';
import type { Spoken } from './queries';

type Props = {
  tenant: string;
  turn: Schemas['TurnDetails'];
  draft?: boolean;
  before?: () => Promise<Spoken[]> | Spoken[];
  /** Told when a form opens on top of this and when it closes. */
  editing?: (open: boolean) => void;
};

/** What an answer was made of, to be corrected here and asked again. */
export function AnswerOrigins({ tenant, turn, draft, before, editing }: Props) {
  const t = useTexts();
  const { may } = useRights(tenant);
  const { origins, rest } = useMemo(() => originsOf(turn), [turn]);
  const always = useAlwaysTold(tenant, turn, origins);
  const [edited, setEdited] = useState<Origin | 'new'>();
  const open = (origin: Origin | 'new') => {
    editing?.(true);
    setEdited(origin);
  };
  const close = useCallback(() => {
    editing?.(false);
    setEdited(undefined);
  }, [editing]);
  const writes = may('business:write');
  const mayEdit = (origin: Origin) =>
    origin.kind !== 'profile' && (origin.kind === 'passage' ? may('knowledge:write') : writes);
  const all = [...origins, ...always];
  return (
    <Stack gap="xs">
      <div>
        <Title order={3} size="h5">
          {t.why.behind}
        </Title>
        <Text size="xs" c="dimmed">
          {all.length > 0 ? t.why.help : t.why.nothing}
        </Text>
      </div>
      {all.map((origin) => (
        <OriginCard
          key={origin.key}
          tenant={tenant}
          origin={origin}
          edit={mayEdit(origin) ? () => open(origin) : undefined}
        />
      ))}
      {rest > 0 && (
        <Text size="xs" c="dimmed">
          {t.why.more(rest)}
        </Text>
      )}
      {writes && (
        <Box>
          <Button size="compact-xs" variant="subtle" px={0} onClick={() => open('new')}>
            {t.why.addFaq}
          </Button>
        </Box>
      )}
      <AskAgain turn={turn} draft={draft} before={before} />
      <NewFaq tenant={tenant} question={turn.question} opened={edited === 'new'} close={close} />
      {edited && edited !== 'new' && (
        <OriginEditor tenant={tenant} origin={edited} question={turn.question} close={close} />
      )}
    </Stack>
  );
}

/** The instructions that a model is told in every turn, besides those that mattered in this one. */
function useAlwaysTold(tenant: string, turn: Schemas['TurnDetails'], origins: Origin[]): Origin[] {
  const { may } = useRights(tenant);
  const list = useInfiniteQuery({
    ...instructionPages(tenant, true),
    enabled: turn.trace.prompt_source !== 'none' && may('business:read'),
  });
  return useMemo(() => {
    const told = new Set(origins.map((origin) => origin.key));
    const all = list.data?.pages.flatMap((page) => page.data) ?? [];
    return all
      .filter((one) => one.include_in_prompt && !told.has(`instruction ${one.id}`))
      .map(({ id }) => ({ kind: 'instruction', key: `instruction ${id}`, id, inPrompt: true }));
  }, [list.data, origins]);
}
