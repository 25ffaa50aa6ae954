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
