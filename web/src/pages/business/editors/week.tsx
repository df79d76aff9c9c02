import { Button, Divider, Menu, Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import { useLanguage, useTexts } from '../../../i18n';
import type { Problems } from '../form/problems';
import { DAYS, type Day, dayName, type Week } from './clock';
import classes from './editors.module.css';
import { SpansEditor } from './spans';

const WORKING = DAYS.slice(0, 5);

type Props = { value: Week; onChange: (value: Week) => void; problems: Problems; path: string };

/** The hours of each day of the week; those of one day can be copied to others. */
export function WeekEditor({ value, onChange, problems, path }: Props) {
  const language = useLanguage();
  const copy = (from: Day, to: readonly Day[]) => {
    const spans = (value[from] ?? []).map((span) => ({ ...span }));
    onChange({ ...value, ...Object.fromEntries(to.map((day) => [day, spans])) });
  };
  return (
    <Stack gap="sm">
      {DAYS.map((day, at) => {
        const name = dayName(day, language);
        const under = `${path}.${day}`;
        return (
          <Fragment key={day}>
            {at > 0 && <Divider />}
            <div className={classes.day}>
              <Text size="sm" fw={600} className={classes.name} pt={4}>
                {name}
              </Text>
              <div className={classes.spans}>
                <SpansEditor
                  value={value[day] ?? []}
                  onChange={(spans) => onChange({ ...value, [day]: spans })}
                  of={name}
                  problems={problems}
                  path={under}
                />
                {problems[under] && (
                  <Text size="xs" c="red" role="alert">
                    {problems[under]}
                  </Text>
                )}
              </div>
              <div className={classes.copy}>
                <CopyMenu day={day} name={name} copy={(to) => copy(day, to)} />
              </div>
            </div>
          </Fragment>
        );
      })}
    </Stack>
  );
}

function CopyMenu({ day, name, copy }: { day: Day; name: string; copy: (to: readonly Day[]) => void }) {
  const t = useTexts();
  const language = useLanguage();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="subtle" aria-label={t.business.copyOf(name)}>
          {t.business.copyTo}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => copy(WORKING)}>{t.business.workingDays}</Menu.Item>
        <Menu.Item onClick={() => copy(DAYS)}>{t.business.everyDay}</Menu.Item>
        <Menu.Divider />
        {DAYS.filter((other) => other !== day).map((other) => (
          <Menu.Item key={other} onClick={() => copy([other])}>
            {dayName(other, language)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
