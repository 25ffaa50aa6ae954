const lookEveryMs = 20;
const giveUpAfterMs = 15_000;

/** Looks until what it sees is what was waited for. @throws Error when it never is. */
export async function until<Seen>(
  what: string,
  look: () => Promise<Seen>,
  isIt: (seen: Seen) => boolean,
): Promise<Seen> {
  const giveUpAt = Date.now() + giveUpAfterMs;
  for (;;) {
    const seen = await look();
    if (isIt(seen)) return seen;
    if (Date.now() > giveUpAt) throw new Error(`waited in vain until ${what}`);
    await new Promise(resolve => setTimeout(resolve, lookEveryMs));
  }
}
