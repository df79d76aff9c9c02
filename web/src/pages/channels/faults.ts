import type { Texts } from '../../i18n';
import type { Formats } from '../customers/formats';
import type { Connection } from './queries';

type Channel = Connection['channel'];
type Reason = Exclude<keyof Texts['channels']['faults'], 'code' | 'unknown'>;

/** What is meant by the codes that channels stop an account with; what is not here is told by its code. */
const META: readonly [Reason, readonly number[]][] = [
  ['key', [0, 102, 104, 190, 458, 459, 460, 463, 464, 467, 492]],
  ['permission', [3, 10, 200, 230, 131_005, 2_018_028]],
  ['payment', [131_042]],
  ['number', [33, 131_037, 131_045, 133_005, 133_006, 133_010]],
  ['blocked', [368, 131_031, 1_893_063]],
];
const TIKTOK: typeof META = [
  ['key', [40_102, 40_104, 40_105, 40_110]],
  ['permission', [40_001]],
];
const CODES: Partial<Record<Channel, typeof META>> = {
  whatsapp: META,
  instagram: META,
  messenger: META,
  tiktok: TIKTOK,
};

function reasonText(channel: Channel, code: number | null | undefined, t: Texts): string {
  const words = t.channels.faults;
  if (code == null) return words.unknown;
  const [reason] = CODES[channel]?.find(([, codes]) => codes.includes(code)) ?? [];
  return reason ? words[reason] : words.code(code);
}

/** Why nothing goes out through a connection and since when; nothing where it does. */
export function faultText({ channel, fault }: Connection, t: Texts, formats: Formats): string | undefined {
  if (!fault) return undefined;
  return t.channels.faultSince(reasonText(channel, fault.code, t), formats.full(fault.since));
}
