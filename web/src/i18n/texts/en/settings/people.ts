import type { Widened } from '../../../widened';
import type { es } from '../../es/settings/people';

export const en: Widened<typeof es> = {
  account: {
    sessions: 'Your sessions',
    thisOne: 'this one',
    unknownDevice: 'Unknown device',
    since: (date: string) => `Since ${date}`,
    until: (date: string) => `expires ${date}`,
    end: 'End',
    endOf: (device: string) => `End the session on ${device}`,
    endOthers: 'End the others',
    endOthersText: (count: number) =>
      count === 1
        ? 'The other session ends. This one goes on.'
        : `The other ${count} sessions end. This one goes on.`,
    othersEnded: 'The other sessions have ended',
    password: 'Password',
    passwordText: 'Changing it ends the other sessions.',
    passwordHelp: 'Ten characters or more. A sentence you remember does well.',
    passwordChanged: 'Password changed',
    wrongPassword: 'That is not your current password.',
    change: 'Change password',
  },
  setPassword: {
    why: 'Ten characters or more, known to you alone. This link works once.',
    submit: 'Save password',
    done: 'Password saved',
    doneText: 'You can sign in with your e-mail and your new password now.',
    incomplete: 'The link is incomplete. Copy all of it, or ask whoever invited you for another.',
  },
  business: {
    intro: 'What it is called and how it writes dates and times.',
    nameHelp: 'You and your team see it.',
    locale: 'Language and region',
    localeHelp: 'Decides how dates, numbers and money are written.',
    timeZone: 'Time zone',
    timeZoneHelp: 'Counts for metrics and dates, except in branches that have another.',
    slug: 'Address',
    plan: 'Plan',
    created: 'Made',
    currency: 'Currency',
    elsewhere: 'The currency, opening hours and the catalogue are changed in',
    elsewhereLink: 'Business',
  },
  team: {
    intro: 'Who enters this business and what they may do.',
    invite: 'Invite somebody',
    emptyTitle: 'Nobody is in the team yet',
    emptyText: 'Invite the first person: they get a link to choose a password.',
    email: 'E-mail',
    role: 'Role',
    roleOf: (name: string) => `Role of ${name}`,
    guide: 'What may each role do?',
    roleTexts: {
      member:
        'Serves: talks and keeps customers, appointments and orders. Does not change how the business works.',
      manager: 'All of Member, and changes agents, knowledge and the catalogue, and sees metrics and jobs.',
      admin: 'All of Manager, and the team, keys, secrets and the audit log.',
    },
    you: 'you',
    since: (date: string) => `since ${date}`,
    linkTitle: (name: string) => `Link for ${name}`,
    linkText: (date: string) =>
      `It works once, until ${date}. Copy it and send it in a safe way: it is not shown again.`,
    hadAccount: (name: string) =>
      `${name} is in the team now and had an account: they sign in with the password they have. If they forgot it, make a link from their menu.`,
    resetTitle: (name: string) => `Password of ${name}`,
    resetText:
      'Makes a link with which they choose another password. Earlier links stop working; the present password stays until they change it.',
    resetConfirm: 'Make a password link',
    changeTitle: (name: string, role: string) => `Make ${name} ${role}?`,
    change: 'Change role',
    suspendTitle: (name: string) => `Suspend ${name}?`,
    suspendText:
      'They no longer enter this business from now on. What they did stays, and you can restore them.',
    remove: 'Remove from the team',
    removeTitle: (name: string) => `Remove ${name} from the team?`,
    removeText:
      'They no longer enter, and their personal knowledge bases in this business are deleted. Their account and all else they did stay.',
    removed: (name: string) => `${name} is no longer in the team`,
  },
};
