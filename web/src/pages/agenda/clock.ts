/** Times on the clock of a place, `YYYY-MM-DD HH:mm:ss`, whatever the zone of the browser. */

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone);
  if (!clock) {
    // Swedish writes dates and times just as they are needed here.
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...parts, ...time });
    clocks.set(zone, clock);
  }
  return clock;
}

/** What the clock of a zone shows at an instant. */
export function wallClock(instant: string | Date, zone: string): string {
  return clockOf(zone).format(typeof instant === 'string' ? new Date(instant) : instant);
}

/** The instant at which the clock of a zone shows a time: the first of the two of a repeated hour. */
export function instantOf(wall: string, zone: string): Date {
  const read = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);
  const wanted = read(wall.length === 10 ? `${wall} 00:00:00` : wall);
  const offset = (at: number) => read(wallClock(new Date(at), zone)) - at;
  // An offset may change between the guess and the instant, so that it is looked up twice.
  const guess = wanted - offset(wanted);
  return new Date(wanted - offset(guess));
}

/** What day it is somewhere. */
export function todayIn(zone: string): string {
  return wallClock(new Date(), zone).slice(0, 10);
}

export function addDays(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
}

/** The Monday of a day's week. */
export function mondayOf(date: string): string {
  return addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));
}
