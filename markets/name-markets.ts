/**
 * Names the markets of one event, in their order, so that no two names are alike (letter case aside): callers
 * and models answer by name. A market is called by its short title, else its question, else its slug, else its
 * id; where two would be called the same, both move on to the next. An event's only market is called by its
 * question, for its short title ("December 31") says nothing by itself.
 */
export function nameMarkets(markets: readonly NamedMarket[]): readonly string[] {
  let queues = markets.map(market => namesOf(market, markets.length > 1));
  for (;;) {
    const taken = count(queues.map(firstOf));
    const clashing = (queue: readonly string[]): boolean =>
      queue.length > 1 && (taken.get(firstOf(queue).toLowerCase()) ?? 0) > 1;
    if (!queues.some(clashing)) return queues.map(firstOf);
    queues = queues.map(queue => (clashing(queue) ? queue.slice(1) : queue));
  }
}

interface NamedMarket {
  readonly id: string;
  readonly groupItemTitle: string | null;
  readonly question: string | null;
  readonly slug: string | null;
}

/** What a market may be called, best first; ends in its id, which is unique. */
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
