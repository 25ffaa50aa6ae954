import type { FeeSchedule, Market, Resolution } from '../../council/event.js';
import type { GammaEvent, GammaMarket } from './gamma-schema.js';

/**
 * Converts one market of a Gamma event. Prices are dollars per share of the first outcome, strictly between 0
 * and 1: Gamma uses 0 and 1 for an empty side of the book. A closed market has no quotes and no last trade,
 * because Gamma only keeps stale quotes and settlement trades there.
 */
export function parseGammaMarket(market: GammaMarket, context: MarketContext): Market {
  const { event, name } = context;
  const closed = market.closed ?? event.closed ?? false;
  const closesAt = isoTime(market.endDate);
  return {
    marketId: market.id,
    name,
    question: market.question ?? name,
    slug: market.slug ?? market.id,
    sides: sidesOf(market),
    status: closed ? 'closed' : 'open',
    placeholder: isPlaceholder(market, event),
    other: isOther(market, event),
    rules: market.description?.trim() || null,
    closesAt,
    ...openingOf(market, closesAt),
    resolutionSource: market.resolutionSource,
    bestBid: closed ? null : price(market.bestBid),
    bestAsk: closed ? null : price(market.bestAsk),
    lastTrade: closed ? null : price(market.lastTradePrice),
    volume: Math.max(0, market.volumeNum ?? market.volume ?? 0),
    takerFee: takerFeeOf(market),
    resolution: closed ? gammaResolution(market) : 'unresolved',
  };
}

interface MarketContext {
  readonly event: GammaEvent;
  /** Unique within the event. */
  readonly name: string;
}

/** Markets with more or fewer than two outcomes get the generic sides Yes and No. */
function sidesOf(market: GammaMarket): readonly [yes: string, no: string] {
  const [yes, no, ...more] = market.outcomes ?? [];
  return yes !== undefined && no !== undefined && more.length === 0 ? [yes, no] : ['Yes', 'No'];
}

/**
 * Gamma lists reserved slots ("Person X", "Country C") next to the real outcomes, even as accepting orders.
 * Most are inactive; active ones are recognised by their name, an empty book and no volume.
 */
function isPlaceholder(market: GammaMarket, event: GammaEvent): boolean {
  if (market.active === false) return true;
  if (event.negRiskAugmented !== true || !reservedName.test(market.groupItemTitle ?? '')) return false;
  const traded = (market.volumeNum ?? market.volume ?? 0) > 0;
  return !traded && price(market.bestBid) === null && price(market.bestAsk) === null;
}

const reservedName = /^[A-Z][a-z]+ [A-Z]{1,2}$/;

/** The slot for "any other" of an event that can grow: its meaning changes whenever an outcome is added. */
function isOther(market: GammaMarket, event: GammaEvent): boolean {
  if (market.negRiskOther === true) return true;
  return event.negRiskAugmented === true && /^other$/i.test(market.groupItemTitle ?? '');
}

/**
 * When trading began: the first of `startDate` and the time since which orders are accepted, of which either can be
 * missing. It is never before the record was created, whatever those say, and is left out if it lies after the end.
 * `creationDate`, `startTime` and `gameStartTime` are no such times: they can name the start of the game.
 */
export function openingOf(dates: OpeningDates, closesAt: string | null): { readonly openedAt?: string } {
  const [first] = [dates.startDate, dates.acceptingOrdersTimestamp ?? null]
    .flatMap(date => isoTime(date) ?? [])
    .sort();
  const created = isoTime(dates.createdAt);
  if (first === undefined) return {};
  const openedAt = created !== null && created > first ? created : first;
  return closesAt !== null && openedAt > closesAt ? {} : { openedAt };
}

interface OpeningDates {
  readonly startDate: string | null;
  /** Markets have it, events do not. */
  readonly acceptingOrdersTimestamp?: string | null;
  readonly createdAt: string | null;
}

/** ISO 8601, UTC; null for text that is not a time. */
export function isoTime(text: string | null): string | null {
  if (text === null) return null;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function price(value: number | null): number | null {
  return value !== null && value > 0 && value < 1 ? value : null;
}

function takerFeeOf(market: GammaMarket): FeeSchedule {
  const schedule = market.feesEnabled === true ? market.feeSchedule : null;
  const exponent = schedule?.exponent ?? 1;
  if (schedule === null || schedule.rate < 0 || exponent < 0) return { rate: 0, exponent: 1 };
  return { rate: schedule.rate, exponent };
}

/**
 * Derives the resolution of a closed Gamma market from its final prices only: the last trade of a losing
 * market can be 1, and the end date proves nothing. Without a winner, the resolution is `fifty_fifty` if both
 * sides are paid half, otherwise `void` (0/0, a scalar payout). It is `disputed` while the oracle's answer is
 * disputed, and `unresolved` while the answer is only proposed without final prices, or if the prices cannot
 * be read.
 */
function gammaResolution(market: GammaMarket): Resolution {
  const { outcomes, outcomePrices } = market;
  const oracle = oracleStatus(market);
  if (oracle === 'disputed') return 'disputed';
  if (outcomes === null || outcomePrices === null) return 'unresolved';
  const [first, second, ...more] = outcomePrices;
  if (outcomes.length === 2 && more.length === 0 && first !== undefined && second !== undefined) {
    if (first >= won && second <= lost) return 'yes';
    if (second >= won && first <= lost) return 'no';
    if (oracle !== 'proposed' && first === half && second === half) return 'fifty_fifty';
  }
  return oracle === 'proposed' ? 'unresolved' : 'void';
}

const won = 0.999;
const lost = 0.001;
const half = 0.5;

/** Prefers the summary status: it can be "resolved" although the history ends with "proposed". */
function oracleStatus(market: GammaMarket): string | null {
  const status = market.umaResolutionStatus ?? market.umaResolutionStatuses?.at(-1) ?? null;
  return status === null ? null : status.trim().toLowerCase();
}
