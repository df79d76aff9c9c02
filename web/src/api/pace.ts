/** How long after it is first asked for something is done, and how long at least passes between two times. */
type Pace = { soon: number; pause: number };

/** Does something soon, and then at most once in so long; what was asked for last is never left out. */
export function paced(act: () => void, { soon, pause }: Pace) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  return {
    ask: () => {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          last = performance.now();
          act();
        },
        Math.max(soon, last + pause - performance.now()),
      );
    },
    stop: () => clearTimeout(timer),
  };
}
