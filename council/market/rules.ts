import type { MarketEvent, SettlementSource } from '../event.js';

/**
 * The rules by which an event resolves, as its venue states them: untrusted text. The markets stand in ascending order
 * of their ids, because a venue may list them in another order each time. `null`: the market states none of its own.
 */
export type Rules = readonly [
  description: string,
  markets: readonly (readonly [marketId: string, rules: string | null])[],
];

export function rulesOf({ description, markets }: Pick<MarketEvent, 'description' | 'markets'>): Rules {
  const pairs = markets.map(({ marketId, rules }) => [marketId, rules] as const);
  return [description, pairs.toSorted(([one], [other]) => Number(one > other) - Number(one < other))];
}

/**
 * The text whose SHA-256, in UTF-8 and as hex, is `rules_sha256`: the JSON of {@link Rules} without spaces, with only
 * those characters escaped that JSON must escape. In Python, with a report's `market_snapshot` as `snapshot`:
 *
 *     pairs = sorted([market["market_id"], market["rules"]] for market in snapshot["markets"])
 *     json.dumps([snapshot["rules"], pairs], ensure_ascii=False, separators=(",", ":"))
 */
export function canonicalRules(rules: Rules): string {
  return JSON.stringify(rules);
}

/**
 * The ids of the sold markets whose rules are others now; none if the rules are those of the sale. Markets that were
 * added or are no longer listed change nothing, and neither does a text that is no longer stated.
 */
export function changedMarkets(sold: Rules, seen: Rules): readonly string[] {
  const [, soldMarkets] = sold;
  const now = new Map(seen[1]);
  const isOfAll = isDescriptionChanged(sold, seen);
  return soldMarkets.flatMap(([marketId, rules]) => {
    const rulesNow = now.get(marketId) ?? null;
    return isOfAll || (rulesNow !== null && rulesNow !== rules) ? [marketId] : [];
  });
}

/** The ids of the sold markets that had other rules in any of these later readings, also if they were taken back. */
export function changedSince(sold: Rules, seen: readonly Rules[]): ReadonlySet<string> {
  return new Set(seen.flatMap(each => changedMarkets(sold, each)));
}

/** A venue without rules of the event repeats those of a market, and of another one when its list has changed. */
function isDescriptionChanged([sold]: Rules, [seen, markets]: Rules): boolean {
  return seen !== '' && seen !== sold && !markets.some(([, rules]) => rules === seen);
}

/** Where the result is read, each source once: of the event, or else of its markets. */
export function settlementSources({
  settlementSources: named,
  resolutionSource,
  markets,
}: Pick<MarketEvent, 'settlementSources' | 'resolutionSource' | 'markets'>): readonly SettlementSource[] {
  if (named !== undefined) return named;
  const stated = [resolutionSource, ...markets.map(market => market.resolutionSource)];
  const names = new Set(stated.flatMap(name => (name === null || name === '' ? [] : [name])));
  return [...names].map(name => ({ name, url: /^https?:\/\/\S+$/i.test(name) ? name : null }));
}
