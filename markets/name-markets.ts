/**
 * Assigns a unique name (ignoring case) to each market of an event, because callers and models refer to
 * markets by name. The name is the short title, the question, the slug or the id, in this order; if two
 * markets would get the same name, both move on to the next candidate. The only market of an event is named
 * by its question, because its short title ("December 31") is meaningless alone.
 */
export function nameMarkets(markets: readonly NamedMarket[]): readonly string[] {
  let candidates = markets.map(market => namesOf(market, markets.length > 1));
  for (;;) {
    const taken = count(candidates.map(firstOf));
    const clashing = (names: readonly string[]): boolean =>
      names.length > 1 && (taken.get(firstOf(names).toLowerCase()) ?? 0) > 1;
    if (!candidates.some(clashing)) return candidates.map(firstOf);
    candidates = candidates.map(names => (clashing(names) ? names.slice(1) : names));
  }
}

interface NamedMarket {
  readonly id: string;
  readonly groupItemTitle: string | null;
  readonly question: string | null;
  readonly slug: string | null;
}

/** The candidate names of a market, best first. The last one is its id, which is unique. */
function namesOf(market: NamedMarket, oneOfSeveral: boolean): readonly string[] {
  const title = oneOfSeveral ? market.groupItemTitle : null;
  return [title, market.question, market.slug, market.id].filter(name => name !== null);
}

function firstOf(names: readonly string[]): string {
  return names[0] ?? '';
}

function count(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  return counts;
}
