import type { Message } from './queries';

/** What a message says beside its text to whoever receives it on a channel. */
export type MessageExtras = {
  /** What can be tapped instead of written. */
  choices: string[];
  /** It came from the channel itself: somebody wrote it on their telephone. */
  isEcho: boolean;
  template: { name: string; values: string[] } | undefined;
};

const recordOf = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isText = (value: unknown): value is string => typeof value === 'string';

export function extrasOf({ metadata }: Message): MessageExtras {
  const extras = recordOf(metadata.channel);
  const template = recordOf(extras?.template);
  const name = template?.name;
  return {
    choices: listOf(extras?.choices)
      .map((choice) => recordOf(choice)?.title)
      .filter(isText),
    isEcho: extras?.echo === true,
    template: isText(name) ? { name, values: listOf(template?.body).filter(isText) } : undefined,
  };
}
