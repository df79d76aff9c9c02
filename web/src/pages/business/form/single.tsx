import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTexts } from '../../../i18n';
import { FailureNotice } from '../../../parts/failures';
import { useGuard } from '../../../parts/guard';
import { done } from '../../../parts/notify';
import classes from '../business.module.css';
import type { Section } from '../kinds/types';
import { useAttention } from './attention';
import { SectionFields } from './fields';
import { useFollowing } from './following';
import { problemsOf } from './problems';
import { cleaned, overNewest, same, type Values } from './values';

type Props<T> = {
  initial: T;
  /** Whether there is nothing yet, so that what is proposed can be saved as it stands. */
  fresh?: boolean;
  sections: Section[];
  labels: Record<string, string>;
  help: Record<string, string>;
  /** What there is now, which somebody else may have changed; nothing where there is nothing yet. */
  read: () => Promise<T | undefined>;
  save: (values: T) => Promise<T>;
  saved: (values: T) => void;
};

/** What there is one of in a business, saved as a whole. */
export function SingleForm<T extends object>({
  initial,
  fresh,
  sections,
  labels,
  help,
  read,
  save,
  saved,
}: Props<T>) {
  const t = useTexts();
  const [before, setBefore] = useState(initial as Values);
  const [values, setValues] = useState(before);
  const [isNew, setNew] = useState(fresh);
  const dirty = !same(cleaned(values, sections), cleaned(before, sections));
  useGuard(dirty);
  const begin = (newest: Values) => {
    setBefore(newest);
    setValues(newest);
  };
  const { take } = useFollowing({ isDirty: () => dirty, begin }, initial as Values);
  const saving = useMutation({
    mutationFn: async () => {
      const typed = cleaned(values, sections);
      const newest = (await read()) as Values | undefined;
      return save((newest ? overNewest(cleaned(before, sections), typed, newest) : typed) as T);
    },
    onSuccess: (made) => {
      take(made as Values);
      setNew(false);
      done(t.common.saved);
      saved(made);
    },
  });
  const form = useRef<HTMLFormElement>(null);
  useAttention(form, saving.error);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack maw={640}>
        {saving.isError && <FailureNotice error={saving.error} />}
        <SectionFields
          sections={sections}
          labels={labels}
          help={help}
          values={values}
          onChange={setValues}
          problems={problemsOf(saving.error, 'name')}
        />
        <div className={classes.foot}>
          <Button type="submit" loading={saving.isPending} disabled={!dirty && !isNew}>
            {t.common.save}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
