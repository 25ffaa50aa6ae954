export interface SteadyLoad<Reading> {
  /** How many came to an end in the time between the two readings. */
  readonly ended: number;
  readonly seconds: number;
  readonly first: Reading;
  readonly last: Reading;
}

/**
 * Does something so many times, so many at a time, and measures only while that many are under way: from when the first have ended
 * and been followed by others until the last one begins. What the machine does while lanes fill up and run empty is no
 * measure of how it does with all of them taken.
 * @param load.times several times as many as `load.atOnce`
 * @param read what is read at both ends of that time, such as the CPU time that processes have taken so far
 */
export async function steadyLoad<Reading>(
  load: { readonly times: number; readonly atOnce: number },
  work: () => Promise<void>,
  read: () => Reading,
): Promise<SteadyLoad<Reading>> {
  const { times, atOnce } = load;
  let ended = 0;
  const now = () => ({ ended, ms: performance.now(), reading: read() });
  let first = now();
  let last = first;
  await inLanes(times, atOnce, async index => {
    if (index === times - 1) last = now();
    await work();
    ended += 1;
    if (ended === atOnce) first = now();
  });
  return {
    ended: last.ended - first.ended,
    seconds: (last.ms - first.ms) / 1_000,
    first: first.reading,
    last: last.reading,
  };
}

/** Does something so many times, so many at a time, each lane beginning the next as soon as it is done with one. */
export async function inLanes(
  times: number,
  lanes: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < times) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, times) }, lane));
}
