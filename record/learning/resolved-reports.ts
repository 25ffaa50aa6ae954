import { type Consensus, consensus } from '../../council/conclusion/consensus.js';
import { hasQuorum } from '../../council/deliberation/members.js';
import type { MarketEvent } from '../../council/event.js';
import { type OutcomeSet, outcomeSet } from '../../council/market/outcome-set.js';
import { impliedSumMax, impliedSumMin } from '../../council/method.js';
import { at, atLeast, sum } from '../../council/numbers.js';
import { oneMarketEvent } from '../../council/one-market-event.js';

/** What one report would have forecast: a yes/no question, the outcomes of a set, or independent markets. */
export interface ResolvedReport {
  /** Intervals draw the reports of one event together. */
  readonly event: string;
  /** When the forecast was made, for example 1 (early) to 5 (late); null if that is not known. */
  readonly checkpoint: string | null;
  /** True: exactly one of the markets happens. Without effect on one market. */
  readonly exclusive: boolean;
  readonly markets: readonly ResolvedMarket[];
  /** For each forecaster, its probabilities of YES (0..1), aligned with the markets; null if it left one out. */
  readonly forecasts: readonly (readonly number[] | null)[];
}

export interface ResolvedMarket {
  /** Unique in its report. */
  readonly name: string;
  readonly outcome: 0 | 1;
  /** Of YES, 0 to 1; null if none is known. */
  readonly price: number | null;
}

/** Outcomes of which exactly one has happened, with which every list is aligned. Probabilities are from 0 to 1. */
export interface ResolvedQuestion {
  readonly event: string;
  readonly checkpoint: string | null;
  /** Index of the outcome that happened. */
  readonly happened: number;
  /** Null if the prices imply no distribution. */
  readonly market: readonly number[] | null;
  /** Null below the quorum. */
  readonly council: readonly number[] | null;
  /** One for each forecaster; null if it gave none. */
  readonly members: readonly (readonly number[] | null)[];
}

/** The questions of a report: its whole set, or each market as its YES and NO, YES first. */
export function questionsOf(report: ResolvedReport): ResolvedQuestion[] {
  const { event, checkpoint, markets, forecasts } = report;
  const pooled = poolReport(report, outcomeSet(eventOf(report)));
  if (isWholeSet(report)) {
    const happened = markets.findIndex(({ outcome }) => outcome === 1);
    const council = pooled && pooled.places.map(place => at(pooled.consensus.fractions, place));
    return [{ event, checkpoint, happened, market: impliedBy(markets), council, members: forecasts }];
  }
  return markets.map(({ outcome, price }, index) => ({
    event,
    checkpoint,
    happened: outcome === 1 ? 0 : 1,
    market: price === null ? null : bothSides(price),
    council: pooled && sidesOf(pooled, index),
    members: forecasts.map(row => row && bothSides(at(row, index))),
  }));
}

function isWholeSet({ exclusive, markets }: ResolvedReport): boolean {
  return exclusive && markets.length > 1;
}

/** Those of a single market are the whole set. */
function sidesOf({ consensus: { fractions }, places }: PooledReport, index: number): readonly number[] {
  return places.length === 1 ? fractions : bothSides(at(fractions, at(places, index)));
}

/** Prices of a set as a distribution, by the rule of a report: null unless they add up to 0.9 to 1.1. */
export function impliedBy(markets: readonly Pick<ResolvedMarket, 'price'>[]): number[] | null {
  const prices = markets.map(({ price }) => price ?? 0);
  const total = sum(prices);
  return atLeast(total, impliedSumMin) && atLeast(impliedSumMax, total) ? prices.map(p => p / total) : null;
}

/** What the council says of a report, as a live report computes it. */
export interface PooledReport {
  /** In the order of the set, which is by name. */
  readonly consensus: Consensus;
  /** For each market, the index of its YES in the set. */
  readonly places: readonly number[];
}

/** Null below the quorum. */
export function poolReport(report: ResolvedReport, set: OutcomeSet): PooledReport | null {
  const given = report.forecasts.filter(row => row !== null);
  if (!hasQuorum(given)) return null;
  const places = report.markets.map((_, index) => {
    const found = set.markets.find(({ market }) => market.marketId === String(index));
    return found?.yesIndex ?? -1;
  });
  const inOrder = (row: readonly number[]) =>
    report.markets.length === 1
      ? bothSides(at(row, 0))
      : set.outcomes.map((_, place) => at(row, places.indexOf(place)));
  return {
    consensus: consensus(
      set,
      given.map(row => ({ fractions: inOrder(row) })),
    ),
    places,
  };
}

const halfSpread = 0.01;

/** The event of a report, with a book of one cent to either side of each price and no fee. */
export function eventOf({ exclusive, markets }: ResolvedReport): MarketEvent {
  const event = oneMarketEvent({ id: 'report', title: 'report', description: '' }, {});
  const isExclusive = exclusive || markets.length === 1;
  return {
    ...event,
    exclusive: isExclusive,
    markets: markets.map(({ name, price }, index) => ({
      ...at(event.markets, 0),
      marketId: String(index),
      slug: String(index),
      name,
      question: name,
      ...(price === null
        ? {}
        : { bestBid: price - halfSpread, bestAsk: price + halfSpread, lastTrade: price }),
    })),
  };
}

export function bothSides(yes: number): readonly [yes: number, no: number] {
  return [yes, 1 - yes];
}
