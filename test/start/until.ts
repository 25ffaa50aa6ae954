/** Waits for a condition, looking often; fails by name when it does not come about in time. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> {
  const giveUpAt = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > giveUpAt) throw new Error(`it did not come about that ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
