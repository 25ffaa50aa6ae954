import type { Market, MarketEvent } from '../event.js';
import { otherOutcome, outcomesMax } from '../method.js';
import { indexOfMax } from '../numbers.js';
import { compareText, nameMaxChars, oneLine } from '../text.js';
import { isFinal } from './final-word.js';
import { type Ladder, laddersOf } from './ladders.js';

/** The outcomes that the council is asked to forecast. */
export interface OutcomeSet {
  /** True if exactly one outcome happens; otherwise each is an independent yes/no question. */
  readonly exclusive: boolean;
  /** Ordered by name, which reveals no price. Every distribution of a report is aligned with this list. */
  readonly outcomes: readonly CouncilOutcome[];
  /** The markets that the council forecasts, each with the index of the outcome that is its YES. */
  readonly markets: readonly CouncilMarket[];
  /** The last outcome is `Any other`: whatever is not listed, also an outcome that has no market yet. */
  readonly hasAnyOther: boolean;
  /** Markets that may still win and are not listed by name. */
  readonly leftOut: readonly Market[];
  /** Outcomes that imply one another, such as `above 60` and `above 70`. Only on independent markets. */
  readonly ladders: readonly Ladder[];
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
 * - an exclusive event: its open markets by name, and `Any other` if something else may still win. With more than 40
 *   outcomes, the 39 largest markets by volume are listed;
 * - independent markets: up to 40 open markets, each a question of its own.
 *
 * Empty only if an event of several markets has none left to trade.
 */
export function outcomeSet(event: MarketEvent): OutcomeSet {
  const named = namedMarkets(event);
  const [only] = named;
  if (only && named.length === 1) return sidesOf(only);
  return event.exclusive ? exclusiveSet(event, named) : independentSet(named);
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
    hasAnyOther: false,
    leftOut: [],
    ladders: [],
  };
}

function sideNames({ sides }: Market): readonly [yes: string, no: string] {
  const yes = oneLine(sides[0], nameMaxChars);
  const no = oneLine(sides[1], nameMaxChars);
  return yes && no && yes !== no ? [yes, no] : ['Yes', 'No'];
}

function exclusiveSet(event: MarketEvent, named: readonly NamedMarket[]): OutcomeSet {
  const unnamed = unnamedContenders(event);
  const isOpen = event.canGrow || unnamed.length > 0 || named.length > outcomesMax;
  const { kept, cut } = largest(named, isOpen ? outcomesMax - 1 : outcomesMax);
  const leftOut = [...cut.map(({ market }) => market), ...unnamed];
  const hasAnyOther = isOpen && named.length > 0;
  const outcomes = yesOutcomes(kept);
  if (hasAnyOther) outcomes.push({ name: otherOutcome, market: null, side: 'yes' });
  return { exclusive: true, outcomes, markets: withIndex(kept), hasAnyOther, leftOut, ladders: [] };
}

/**
 * Markets that may still win although they are no outcome by name: slots that the platform names later, the slot for
 * any other, and markets that no longer trade but whose result is not known. One that lost cannot win.
 */
function unnamedContenders({ markets }: MarketEvent): readonly Market[] {
  return markets
    .filter(market => !isListed(market) && !isFinal(market.resolution))
    .sort((a, b) => compareText(plainName(a), plainName(b)) || compareText(a.marketId, b.marketId));
}

function independentSet(named: readonly NamedMarket[]): OutcomeSet {
  const { kept, cut } = largest(named, outcomesMax);
  return {
    exclusive: false,
    outcomes: yesOutcomes(kept),
    markets: withIndex(kept),
    hasAnyOther: false,
    leftOut: cut.map(({ market }) => market),
    ladders: laddersOf(kept.map(({ market }) => market)),
  };
}

function yesOutcomes(named: readonly NamedMarket[]): CouncilOutcome[] {
  return named.map(({ name, market }) => ({ name, market, side: 'yes' }));
}

function withIndex(named: readonly NamedMarket[]): CouncilMarket[] {
  return named.map((each, yesIndex) => ({ ...each, yesIndex }));
}

/** Ranks by volume, because a choice by price would tell the council what the market thinks. */
function largest(
  named: readonly NamedMarket[],
  count: number,
): { kept: readonly NamedMarket[]; cut: readonly NamedMarket[] } {
  const ranked = [...named].sort((a, b) => b.market.volume - a.market.volume || compareText(a.name, b.name));
  const kept = new Set(ranked.slice(0, count));
  return { kept: named.filter(each => kept.has(each)), cut: named.filter(each => !kept.has(each)) };
}

/**
 * The markets of an event that the council can forecast, ordered by name: the only market in any state;
 * otherwise those that are open and have a name.
 */
export function namedMarkets(event: MarketEvent): readonly NamedMarket[] {
  const isNamed = event.exclusive ? isListed : isTraded;
  const markets = event.markets.length === 1 ? event.markets : event.markets.filter(isNamed);
  const taken = new Set([otherOutcome]);
  return [...markets]
    .sort((a, b) => compareText(plainName(a), plainName(b)) || compareText(a.marketId, b.marketId))
    .map(market => {
      const name = uniqueName(market, taken);
      taken.add(name);
      return { name, market };
    });
}

/** The slot for any other is no outcome: a candidate who is added later would no longer belong to it. */
function isListed(market: Market): boolean {
  return isTraded(market) && !market.other;
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

/**
 * The labels by which members name the outcomes in their answers: O1, O2, … in the order of the outcomes. Names of
 * markets are long, untrusted and different for every event; a schema that lists forty of them is refused by vendors.
 */
export function outcomeLabels(outcomes: number): string[] {
  return Array.from({ length: outcomes }, (_, index) => `O${index + 1}`);
}

/**
 * The outcome that the range of a forecast and what would change it speak of: of two outcomes the first, so that all
 * members speak of the same; of more, the one with the highest probability. Of independent questions, the one whose
 * probability is nearest to 50 %: the likeliest may be nearly certain, and then its range says nothing of the others.
 *
 * @param percents aligned with the outcomes
 */
export function subjectIndex(exclusive: boolean, percents: readonly number[]): number {
  if (exclusive) return percents.length === 2 ? 0 : indexOfMax(percents);
  return indexOfMax(percents.map(percent => -Math.abs(percent - 50)));
}
