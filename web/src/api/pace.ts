/**
 * How long after it is first asked for something is done, how much time one of many takes in the long run, and
 * how many may come before that counts, with how much between two of them.
 */
type Pace = { soon: number; each: number; burst: number; between: number };

/** Does something soon, and no more often than it may; what was asked for last is never left out. */
export function paced(act: () => void, { soon, each, burst, between }: Pace) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  /** When so much time has passed as all that was done takes. */
  let paidAt = Number.NEGATIVE_INFINITY;
  return {
    ask: () => {
      const now = performance.now();
      const wait = Math.max(soon, last + between - now, paidAt - (burst - 1) * each - now);
      timer ??= setTimeout(() => {
        timer = undefined;
        last = performance.now();
        paidAt = Math.max(paidAt, last) + each;
        act();
      }, wait);
    },
    stop: () => clearTimeout(timer),
  };
}
