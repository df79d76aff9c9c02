import type { Period } from '../../routes/metrics';

export type Span = { from: Date; to: Date };

const DAYS: Record<Period, number> = { today: 1, '7d': 7, '30d': 30, '90d': 90 };

/** What a clock on the wall shows in a time zone, as if it were in UTC. */
function wall(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** The instant at which a day of a time zone began, some days before. */
export function midnight(now: Date, zone: string, back: number): Date {
  const shown = new Date(wall(now.getTime(), zone));
  const wanted = Date.UTC(shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate() - back);
  // Twice, because the clocks may have been changed between a guess and the day itself.
  let instant = wanted;
  for (let pass = 0; pass < 2; pass += 1) instant = wanted - (wall(instant, zone) - instant);
  return new Date(instant);
}

/** A period up to now, and the one before it up to the same time of its last day. */
export function spans(period: Period, now: Date, zone: string): { now: Span; before: Span } {
  const days = DAYS[period];
  const from = midnight(now, zone, days - 1);
  const past = now.getTime() - midnight(now, zone, 0).getTime();
  return {
    now: { from, to: now },
    before: {
      from: midnight(now, zone, 2 * days - 1),
      to: new Date(midnight(now, zone, days).getTime() + past),
    },
  };
}
