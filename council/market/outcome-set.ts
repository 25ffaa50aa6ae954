import type { Market, MarketEvent } from '../event.js';
import { otherOutcome, outcomesMax } from '../method.js';
import { compareText, nameMaxChars, oneLine } from '../text.js';

/** The outcomes that the council is asked to forecast. */
export interface OutcomeSet {
  /** True if exactly one outcome happens; otherwise each is an independent yes/no question. */
  readonly exclusive: boolean;
  /** Ordered by name, which reveals no price. Every distribution of a report is aligned with this list. */
  readonly outcomes: readonly CouncilOutcome[];
  /** The markets that the council forecasts, each with the index of the outcome that is its YES. */
  readonly markets: readonly CouncilMarket[];
  /** Markets of the event that are too small to be listed by name. */
  readonly leftOut: readonly Market[];
}

export interface CouncilOutcome {
  readonly name: string;
  /** Null for `Any other`. */
  readonly market: Market | null;
  /** The side of the market that pays when this outcome happens. */
  readonly side: 'yes' | 'no';
}

export interface CouncilMarket extends NamedMarket {
  readonly yesIndex: number;
}

interface NamedMarket {
  /** Unique within the event, on one line. */
  readonly name: string;
  readonly market: Market;
}

/**
 * The outcomes of an event:
 * - one market to trade: its two sides by their own names;
 * - an exclusive event: its open markets by name; with more than 40, the 39 largest by volume and `Any
 *   other`;
 * - independent markets: up to 40 open markets, each a question of its own.
 *
 * Empty only if an event of several markets has none left to trade.
 */
export function outcomeSet(event: MarketEvent): OutcomeSet {
  const named = namedMarkets(event);
  const [only] = named;
  if (only && named.length === 1) return sidesOf(only);
  if (named.length <= outcomesMax) return onePerMarket(event.exclusive, named, []);

  const kept = new Set(largest(named, event.exclusive ? outcomesMax - 1 : outcomesMax));
  return onePerMarket(
    event.exclusive,
    named.filter(each => kept.has(each)),
    named.filter(each => !kept.has(each)).map(({ market }) => market),
  );
}

function sidesOf({ name, market }: NamedMarket): OutcomeSet {
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

function onePerMarket(
  exclusive: boolean,
  named: readonly NamedMarket[],
  leftOut: readonly Market[],
): OutcomeSet {
  const outcomes: CouncilOutcome[] = named.map(({ name, market }) => ({ name, market, side: 'yes' }));
  if (exclusive && leftOut.length > 0) outcomes.push({ name: otherOutcome, market: null, side: 'yes' });
  return { exclusive, outcomes, markets: named.map((each, yesIndex) => ({ ...each, yesIndex })), leftOut };
}

/** Ranks by volume, because a choice by price would tell the council what the market thinks. */
function largest(named: readonly NamedMarket[], count: number): readonly NamedMarket[] {
  return [...named]
    .sort((a, b) => b.market.volume - a.market.volume || compareText(a.name, b.name))
    .slice(0, count);
}

/**
 * The markets of an event that the council can forecast, ordered by name: the only market in any state;
 * otherwise those that are open and have a name.
 */
export function namedMarkets(event: MarketEvent): readonly NamedMarket[] {
  const markets = event.markets.length === 1 ? event.markets : event.markets.filter(isTraded);
  const taken = new Set([otherOutcome]);
  return [...markets]
    .sort((a, b) => compareText(plainName(a), plainName(b)) || compareText(a.marketId, b.marketId))
    .map(market => {
      const name = uniqueName(market, taken);
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

/** Adds the slug, then the id, to a name already taken, because names are keys of the distribution. */
function uniqueName(market: Market, taken: ReadonlySet<string>): string {
  const name = plainName(market);
  const candidates = [name, `${name} (${oneLine(market.slug, nameMaxChars)})`];
  return candidates.find(candidate => !taken.has(candidate)) ?? `${name} (${market.marketId})`;
}
