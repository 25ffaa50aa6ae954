import type { Market, MarketEvent } from '../event.js';
import { otherOutcome, outcomesMax } from '../method.js';
import { compareText, nameMaxChars, oneLine } from '../text.js';

/** What the council is asked about. */
export interface OutcomeSet {
  /** Exactly one outcome happens, so that probabilities add up to 100; else each is its own yes/no question. */
  readonly exclusive: boolean;
  /** In an order that says nothing of prices. Every distribution of a report is aligned with it. */
  readonly outcomes: readonly CouncilOutcome[];
  /** The markets asked about, each with the index of the outcome that is its YES. */
  readonly markets: readonly AskedMarket[];
  /** Markets of the event too small to be asked about by name. */
  readonly leftOut: readonly Market[];
}

export interface CouncilOutcome {
  readonly name: string;
  /** Null for `Any other`. */
  readonly market: Market | null;
  /** The side of the market that pays when this outcome happens. */
  readonly side: 'yes' | 'no';
}

export interface AskedMarket extends NamedMarket {
  readonly yesIndex: number;
}

/**
 * One market to trade: its two sides by their own names. An exclusive event: its open markets by name, where
 * there are more than 40 the 39 largest by volume and `Any other`. Else: up to 40 open markets, each by itself.
 * Empty only where an event of several markets has none left to trade.
 */
export function outcomeSet(event: MarketEvent): OutcomeSet {
  const named = namedMarkets(event);
  const [only] = named;
  if (only && named.length === 1) return twoSided(only);
  if (named.length <= outcomesMax) return oneEach(event.exclusive, named, []);

  const kept = new Set(largest(named, event.exclusive ? outcomesMax - 1 : outcomesMax));
  return oneEach(
    event.exclusive,
    named.filter(each => kept.has(each)),
    named.filter(each => !kept.has(each)).map(({ market }) => market),
  );
}

function twoSided({ name, market }: NamedMarket): OutcomeSet {
  const [yes, no] = sideNames(market);
  return {
    exclusive: true,
    outcomes: [
      { name: yes, market, side: 'yes' },
      { name: no, market, side: 'no' },
    ],
    markets: [{ name, market, yesIndex: 0 }],
    leftOut: [],
  };
}

function sideNames({ sides }: Market): readonly [yes: string, no: string] {
  const yes = oneLine(sides[0], nameMaxChars);
  const no = oneLine(sides[1], nameMaxChars);
  return yes && no && yes !== no ? [yes, no] : ['Yes', 'No'];
}

function oneEach(exclusive: boolean, named: readonly NamedMarket[], leftOut: readonly Market[]): OutcomeSet {
  const outcomes: CouncilOutcome[] = named.map(({ name, market }) => ({ name, market, side: 'yes' }));
  if (exclusive && leftOut.length > 0) outcomes.push({ name: otherOutcome, market: null, side: 'yes' });
  return { exclusive, outcomes, markets: named.map((each, yesIndex) => ({ ...each, yesIndex })), leftOut };
}

/** By volume, never by price: what the council is asked about must not tell it what the market thinks. */
function largest(named: readonly NamedMarket[], count: number): readonly NamedMarket[] {
  return [...named]
    .sort((a, b) => b.market.volume - a.market.volume || compareText(a.name, b.name))
    .slice(0, count);
}

export interface NamedMarket {
  /** Unlike any other name of the event, on one line. */
  readonly name: string;
  readonly market: Market;
}

/**
 * The markets of an event that the council can be asked about: the only one, whatever its state, else those
 * that are open and already named. Ordered by name, which says nothing of prices.
 */
export function namedMarkets(event: MarketEvent): readonly NamedMarket[] {
  const markets = event.markets.length === 1 ? event.markets : event.markets.filter(isTraded);
  const taken = new Set([otherOutcome]);
  return [...markets]
    .sort((a, b) => compareText(plainName(a), plainName(b)) || compareText(a.marketId, b.marketId))
    .map(market => {
      const name = freeName(market, taken);
      taken.add(name);
      return { name, market };
    });
}

function isTraded(market: Market): boolean {
  return market.status === 'open' && !market.placeholder;
}

function plainName(market: Market): string {
  return oneLine(market.name, nameMaxChars) || market.slug;
}

/** Two markets of one name would be one key of the distribution: the second is told apart by slug, then by id. */
function freeName(market: Market, taken: ReadonlySet<string>): string {
  const name = plainName(market);
  const candidates = [name, `${name} (${oneLine(market.slug, nameMaxChars)})`];
  return candidates.find(candidate => !taken.has(candidate)) ?? `${name} (${market.marketId})`;
}
