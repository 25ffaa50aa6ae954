import type { Market, Strike } from '../../council/event.js';
import type { KalshiMarket } from './kalshi-schema.js';
import { kalshiWord } from './kalshi-words.js';

/**
 * Converts one market of Kalshi. Prices are dollars a contract of YES, strictly between 0 and 1: Kalshi writes 0 and 1,
 * with a size of 0, for an empty side of the book. A market that is not `active` has no quotes and no last trade.
 * `closesAt` is the scheduled end of trading, which is often weeks after `expectedAt`.
 */
export function parseKalshiMarket(market: KalshiMarket, context: MarketContext): Market {
  const { name, question, takerFee } = context;
  const isOpen = market.status === 'active';
  const { open_time: openedAt, close_time: closesAt, early_close_condition: earlyClose } = market;
  const expectedAt = kalshiExpectedAt(market);
  const strike = strikeOf(market);
  return {
    marketId: market.ticker,
    name,
    question,
    slug: market.ticker,
    sides: sidesOf(market.yes_sub_title),
    status: isOpen ? 'open' : 'closed',
    placeholder: isKalshiPlaceholder(market),
    ...(market.is_provisional === true && mayTrade.has(market.status) ? { provisional: true } : {}),
    // A custom strike or a name such as "Field" does not say what the market covers.
    other: false,
    rules: rulesOf(market),
    closesAt,
    ...(openedAt === null || (closesAt !== null && openedAt > closesAt) ? {} : { openedAt }),
    resolutionSource: null,
    ...(strike === null ? {} : { strike }),
    ...(expectedAt === null ? {} : { expectedAt }),
    ...(market.latest_expiration_time === null ? {} : { latestAt: market.latest_expiration_time }),
    ...(earlyClose && market.can_close_early !== false ? { earlyClose } : {}),
    bestBid: isOpen ? quote(market.yes_bid_dollars, market.yes_bid_size_fp) : null,
    bestAsk: isOpen ? quote(market.yes_ask_dollars, market.yes_ask_size_fp) : null,
    lastTrade: isOpen ? quote(market.last_price_dollars) : null,
    volume: market.volume_fp,
    takerFee,
    resolution: kalshiWord(market).resolution,
  };
}

/** The states of a market that trades now or later. One past them is not removed any more. */
const mayTrade: ReadonlySet<string> = new Set(['initialized', 'active', 'inactive']);

interface MarketContext {
  /** Unique within the event. */
  readonly name: string;
  readonly question: string;
  readonly takerFee: Market['takerFee'];
}

/** When the last result is expected. The end of trading comes last, because it is often a buffer of weeks. */
export function kalshiExpectedAt(
  ...markets: readonly Pick<KalshiMarket, 'occurrence_datetime' | 'expected_expiration_time' | 'close_time'>[]
): string | null {
  const times = markets.flatMap(
    market => market.occurrence_datetime ?? market.expected_expiration_time ?? market.close_time ?? [],
  );
  return times.sort().at(-1) ?? null;
}

/** A market that does not trade yet, or that may vanish. */
export function isKalshiPlaceholder(market: Pick<KalshiMarket, 'status' | 'is_provisional'>): boolean {
  return market.status === 'initialized' || market.is_provisional === true;
}

/** In hundredths, the smallest part of a contract, so that no sum has a rest. */
export function sumOfContracts(markets: readonly Pick<KalshiMarket, 'volume_fp'>[]): number {
  return markets.reduce((sum, { volume_fp: contracts }) => sum + Math.round(contracts * 100), 0) / 100;
}

/** `no_sub_title` is often the same text as `yes_sub_title`, and then names no other side. */
function sidesOf(yes: string): Market['sides'] {
  return yes === '' || yes.toLowerCase() === 'yes' ? ['Yes', 'No'] : [yes, `Not ${yes}`];
}

function rulesOf({ rules_primary, rules_secondary }: KalshiMarket): string | null {
  const rules = [rules_primary, rules_secondary].map(text => text?.trim() ?? '').filter(text => text !== '');
  return rules.length === 0 ? null : rules.join('\n\n');
}

/** @returns null for a kind without a number, or without the bounds that its kind needs */
function strikeOf({ strike_type, floor_strike: floor, cap_strike: cap }: KalshiMarket): Strike | null {
  const kind = strikeKinds.get(strike_type ?? '');
  if (kind === undefined) return null;
  const needsFloor = kind !== 'below' && kind !== 'at_most';
  const needsCap = kind !== 'above' && kind !== 'at_least';
  if ((needsFloor && floor === null) || (needsCap && cap === null)) return null;
  return { kind, floor: needsFloor ? floor : null, cap: needsCap ? cap : null };
}

const strikeKinds: ReadonlyMap<string, Strike['kind']> = new Map([
  ['greater', 'above'],
  ['greater_or_equal', 'at_least'],
  ['less', 'below'],
  ['less_or_equal', 'at_most'],
  ['between', 'between'],
]);

/** @param size contracts at this price; not stated for a trade */
function quote(price: number, size?: number | null): number | null {
  return price > 0 && price < 1 && size !== 0 ? price : null;
}
