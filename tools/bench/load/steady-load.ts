export interface SteadyLoad<Reading> {
  /** Number of executions that ended between the two readings. */
  readonly ended: number;
  readonly seconds: number;
  readonly first: Reading;
  readonly last: Reading;
}

/**
 * Runs `work` repeatedly with a fixed concurrency and measures only the steady state: from when as many
 * executions have ended as run concurrently until the last one starts. Excludes ramp-up and ramp-down.
 *
 * @param load.times Total number of executions; should be several times `load.atOnce`.
 * @param read Takes a reading at both ends of the steady state, such as the CPU time of processes.
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

/** Runs `work` the given number of times in concurrent lanes. */
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
