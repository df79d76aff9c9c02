import type { Schemas } from '../../../api/client';
import { agentOf, MAIN } from '../parts/agent';
import type { Connection } from '../queries';
import { templateKey } from '../template-text';

/** What the form holds. Fields are named as the server names them, so that its problems find them. */
export type SettingsValues = {
  name: string;
  agent: string;
  /** In seconds, as people think of it. */
  debounce_ms: number | string;
  return_after_minutes: number | string;
  shows_typing: boolean;
  country: string | null;
  /** The language and the name of a template. */
  reminder: string | null;
};

export const valuesOf = ({ name, agent_id: agent, settings }: Connection): SettingsValues => ({
  name,
  agent: agent ?? MAIN,
  debounce_ms: settings.debounce_ms / 1000,
  return_after_minutes: settings.return_after_minutes,
  shows_typing: settings.shows_typing,
  country: settings.country ?? null,
  reminder: settings.reminder ? templateKey(settings.reminder) : null,
});

function reminderOf(key: string | null): Schemas['ReminderTemplate'] | null {
  const [, language, name] = /^(\S+) (.+)$/.exec(key ?? '') ?? [];
  return language && name ? { language, name } : null;
}

/** What is saved. Settings that this form does not show stay as they are. */
export const bodyOf = (values: SettingsValues, { settings }: Connection): Schemas['UpdateChannel'] => ({
  name: values.name,
  agent: agentOf(values.agent),
  settings: {
    ...settings,
    debounce_ms: Math.round(Number(values.debounce_ms) * 1000),
    return_after_minutes: Number(values.return_after_minutes),
    shows_typing: values.shows_typing,
    country: values.country,
    reminder: reminderOf(values.reminder),
  },
});
