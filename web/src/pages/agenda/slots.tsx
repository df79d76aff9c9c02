import { Button, Chip, Group, Input, Skeleton, Stack, Text } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import type { Schemas } from '../../api/client';
import { useLanguage, useTexts } from '../../i18n';
import { FailureNotice } from '../../parts/failures';
import type { Formats } from './formats';
import { nextSlot, slotsOf, type Wanted } from './queries';

export type Slot = Schemas['FreeSlot'];

type Props = {
  tenant: string;
  wanted: Wanted;
  today: string;
  formats: Formats;
  slot: Slot | undefined;
  /** A time that was meant from the beginning. */
  meant?: string | undefined;
  error?: string | undefined;
  onDate: (date: string) => void;
  onSlot: (slot: Slot | undefined) => void;
};

/** A day and the times that are free on it, on the clock of the branch. */
export function SlotPicker({ tenant, wanted, today, formats, slot, meant, error, onDate, onSlot }: Props) {
  const t = useTexts();
  const locale = useLanguage();
  const label = useId();
  const free = useQuery(slotsOf(tenant, wanted));
  // Of several who are free at the same time, the first is as good as any.
  const times = new Map<string, Slot>();
  for (const one of free.data?.slots ?? []) {
    if (!times.has(one.local_start)) times.set(one.local_start, one);
  }
  const next = useMutation({
    mutationFn: () => nextSlot(wanted),
    onSuccess: ({ slots }) => {
      const [first] = slots;
      if (first) onDate(first.date);
    },
  });
  const chosen = slot ? (slot.staff_name ?? slot.table_name) : undefined;
  const pick = (start: string) => onSlot(times.get(start));
  const fitting = meant ? [...times.values()].find((one) => one.time === meant) : undefined;
  useEffect(() => {
    if (fitting && !slot) onSlot(fitting);
  }, [fitting, slot, onSlot]);
  return (
    <Stack gap="sm">
      <DatePickerInput
        label={t.agenda.date}
        locale={locale}
        value={wanted.date}
        minDate={today}
        valueFormatter={() => formats.longDay(wanted.date)}
        onChange={(value) => value && onDate(value)}
      />
      <div>
        <Input.Label id={label} required>
          {t.agenda.freeTimes}
        </Input.Label>
        {free.isPending && <Skeleton height={34} aria-label={t.common.loading} />}
        {free.isError && <FailureNotice error={free.error} again={free.refetch} />}
        <div aria-live="polite">
          {free.isSuccess && times.size === 0 && (
            <Stack gap="xs" align="flex-start">
              <Text size="sm">{t.agenda.noSlots[free.data.reason ?? 'full']}</Text>
              <Button size="xs" variant="default" loading={next.isPending} onClick={() => next.mutate()}>
                {t.agenda.nextFree}
              </Button>
              {next.isSuccess && next.data.slots.length === 0 && (
                <Text size="sm">{t.agenda.nothingAhead}</Text>
              )}
              {next.isError && <FailureNotice error={next.error} />}
            </Stack>
          )}
        </div>
        {times.size > 0 && (
          <Chip.Group value={slot?.local_start ?? ''} onChange={pick}>
            <Group gap={6} role="radiogroup" aria-labelledby={label} mah={200} style={{ overflowY: 'auto' }}>
              {[...times.values()].map((one) => (
                <Chip key={one.local_start} value={one.local_start} size="sm">
                  {one.time}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        )}
        {chosen && (
          <Text size="sm" c="dimmed" mt={4} aria-live="polite">
            {t.agenda.with(chosen)}
          </Text>
        )}
        {error && <Input.Error mt={4}>{error}</Input.Error>}
      </div>
    </Stack>
  );
}
