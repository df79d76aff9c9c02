import { modals } from '@mantine/modals';
import type { Schemas } from '../../../api/client';
import { texts } from '../../../i18n';
import { failed } from '../../../parts/notify';
import { ask } from '../parts/dialog';
import { OneTimeValue } from '../parts/one-time';
import { passwordLink } from './link';

type Person = { name: string };

/** Asks whether a person should get a link for a new password, and shows it once. */
export function offerLink(
  person: Person,
  issue: () => Promise<Schemas['ResetToken']>,
  date: (text: string) => string,
) {
  const t = texts();
  ask({
    title: t.settings.team.resetTitle(person.name),
    text: t.settings.team.resetText,
    confirm: t.settings.team.resetConfirm,
    act: () => {
      issue().then(
        (reset) =>
          modals.open({
            title: t.settings.team.resetTitle(person.name),
            closeOnClickOutside: false,
            closeOnEscape: false,
            closeButtonProps: { 'aria-label': t.common.close },
            children: (
              <OneTimeValue
                title={t.settings.team.linkTitle(person.name)}
                text={t.settings.team.linkText(date(reset.expires_at))}
                value={passwordLink(reset.reset_token)}
              />
            ),
          }),
        failed,
      );
    },
  });
}
