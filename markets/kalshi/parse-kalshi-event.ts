import type { FeeSchedule, Market, MarketEvent, SettlementSource } from '../../council/event.js';
import { isEventClosed } from '../../council/market/event-closed.js';
import { tilesTheLine } from '../../council/market/tiles-the-line.js';
import { kalshiEventId } from '../event-name.js';
import { nameMarkets } from '../name-markets.js';
import {
  type KalshiEvent,
  type KalshiMarket,
  type KalshiSeries,
  kalshiEventSchema,
} from './kalshi-schema.js';
import { kalshiExpectedAt, parseKalshiMarket, sumOfContracts } from './parse-kalshi-market.js';

/**
 * Parses one event of Kalshi with its nested markets. Never throws.
 *
 * @param raw any value; usually `event` of `/events/{ticker}?with_nested_markets=true`, or an element of a list
 * @param series the event's series; without it, the fees are unknown
 * @returns null if the value is not an event, or one of its markets cannot be read: the others would then seem to be all
 *   that can happen. `markets` is empty if Kalshi has moved them to its history.
 */
export function parseKalshiEvent(raw: unknown, series: KalshiSeries | null): MarketEvent | null {
  const parsed = kalshiEventSchema.safeParse(raw);
  return parsed.success ? kalshiEventOf(parsed.data, series) : null;
}

/** The same for an event whose shape is known. */
export function kalshiEventOf(event: KalshiEvent, series: KalshiSeries | null): MarketEvent {
  const kalshiMarkets = [...new Map((event.markets ?? []).map(market => [market.ticker, market])).values()];
  const title = titleOf(event);
  const markets = marketsOf(kalshiMarkets, title, takerFeeOf(event, series));
  // An event with one market is never exclusive: normalising it would give 100 %.
  const exclusive = event.mutually_exclusive && markets.length > 1;
  const sources = sourcesOf(event);
  const [openedAt] = markets.flatMap(market => (market.placeholder ? [] : (market.openedAt ?? []))).sort();
  const read: MarketEvent = {
    eventId: kalshiEventId(event.event_ticker),
    slug: null,
    source: 'kalshi',
    title,
    description: descriptionOf(kalshiMarkets, markets),
    category: series?.category || event.category || null,
    closesAt: kalshiExpectedAt(...kalshiMarkets),
    ...(openedAt === undefined ? {} : { openedAt }),
    status: markets.some(({ status }) => status === 'open') ? 'open' : 'closed',
    exclusive,
    // Kalshi promises at most one YES: without a proof, none of the markets may win.
    canGrow: exclusive && !tilesTheLine(markets.map(({ strike }) => strike)),
    resolutionSource: sources[0]?.url ?? sources[0]?.name ?? null,
    ...(sources.length > 0 ? { settlementSources: sources } : {}),
    volume: sumOfContracts(kalshiMarkets),
    // The API names no address of an event; the page of its series is stable.
    url: `https://kalshi.com/markets/${event.series_ticker.toLowerCase()}`,
    markets,
  };
  return { ...read, status: isEventClosed(read) ? 'closed' : 'open' };
}

/** The second line of the title is often its date, and sometimes the title again. */
function titleOf({ title, sub_title }: KalshiEvent): string {
  const adds = sub_title && !title.toLowerCase().includes(sub_title.toLowerCase());
  return adds ? `${title} – ${sub_title}` : title;
}

function marketsOf(markets: readonly KalshiMarket[], title: string, takerFee: FeeSchedule | null): Market[] {
  const isOnly = markets.length === 1;
  const names = nameMarkets(
    markets.map(({ ticker, yes_sub_title: name }) => ({
      id: ticker,
      groupItemTitle: name || null,
      question: isOnly ? title : null,
      slug: name === '' ? null : `${name} (${ticker})`,
    })),
  );
  return markets.map((market, index) => {
    const name = names[index] ?? market.ticker;
    return parseKalshiMarket(market, { name, question: isOnly ? title : `${title}: ${name}`, takerFee });
  });
}

/** The rules of the first market, if those of the others differ only by the market's name; otherwise none. */
function descriptionOf(raw: readonly KalshiMarket[], markets: readonly Market[]): string {
  const templates = raw.map(({ yes_sub_title: name }, index) => {
    const rules = markets[index]?.rules ?? '';
    return name === '' ? rules : rules.replaceAll(name, '\0');
  });
  return new Set(templates).size === 1 ? (markets[0]?.rules ?? '') : '';
}

function sourcesOf({ settlement_sources }: KalshiEvent): SettlementSource[] {
  return (settlement_sources ?? []).flatMap(({ name, url }) =>
    name || url ? [{ name: name || url || '', url: url || null }] : [],
  );
}

/** The fee of an event before that of its series. A fee of another kind, such as `flat`, cannot be computed. */
function takerFeeOf(event: KalshiEvent, series: KalshiSeries | null): FeeSchedule | null {
  if (series === null) return null;
  const kind = event.fee_type_override || series.fee_type;
  const multiplier = event.fee_multiplier_override ?? series.fee_multiplier;
  if (!quadraticFees.has(kind) || multiplier < 0) return null;
  const rate = Number((quadraticRate * multiplier).toFixed(rateDecimals));
  return { rate, exponent: 1, roundedUpToUsd: feeStepUsd };
}

/** They differ in the fee of makers only. */
const quadraticFees: ReadonlySet<string> = new Set([
  'quadratic',
  'quadratic_with_maker_fees',
  'quadratic_with_combo_maker_fees',
]);
const quadraticRate = 0.07;
const rateDecimals = 8;
const feeStepUsd = 0.0001;
