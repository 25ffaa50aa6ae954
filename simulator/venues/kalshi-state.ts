import { z } from 'zod';
import kalshiEvents from './kalshi-events.json' with { type: 'json' };

const marketShape = z.strictObject({
  suffix: z.string(),
  name: z.string(),
  bid: z.string(),
  ask: z.string(),
  last: z.string(),
  volume: z.string(),
  strikeType: z.enum(['less', 'between', 'greater']).optional(),
  floor: z.number().optional(),
  cap: z.number().optional(),
  provisional: z.boolean().optional(),
});

const eventShape = z.strictObject({
  ticker: z.string(),
  series: z.string(),
  title: z.string(),
  category: z.string(),
  exclusive: z.boolean(),
  feeType: z.enum(['quadratic', 'flat']),
  rules: z.string(),
  /** What the event waits for: ISO 8601, UTC. */
  waits: z.iso.datetime(),
  markets: z.array(marketShape),
});

export type KalshiSample = z.infer<typeof eventShape>;

/** The simulated events of Kalshi: one of each kind. */
export const kalshiSamples: readonly KalshiSample[] = z.array(eventShape).parse(kalshiEvents);

/** A step of a market's life. `value` is dollars as a decimal string, for example `1.0000`. */
export type KalshiStep =
  | { readonly status: 'active' | 'closed' }
  | {
      readonly status: 'determined' | 'disputed' | 'amended' | 'finalized';
      readonly result: 'yes' | 'no' | 'scalar';
      readonly value: string;
    };

interface MarketState {
  readonly step: KalshiStep;
  readonly rules: string | null;
  readonly isHistorical: boolean;
  /** Epoch milliseconds; null if it never changed. */
  readonly updatedAt: number | null;
}

const untouched: MarketState = {
  step: { status: 'active' },
  rules: null,
  isHistorical: false,
  updatedAt: null,
};

export interface KalshiState {
  /** @throws RangeError if there is no such market. */
  readonly move: (ticker: string, step: KalshiStep) => void;
  /** @throws RangeError if there is no such market. */
  readonly changeRules: (ticker: string, rules: string) => void;
  /** Moves a market from its event to the history. @throws RangeError if there is no such market. */
  readonly archive: (ticker: string) => void;
  /** The markets of an event in Kalshi's format, without those in the history. */
  marketsOf(event: KalshiSample): readonly KalshiMarket[];
  /** Those in the history. */
  historicalMarketsOf(event: KalshiSample): readonly KalshiMarket[];
  /** Epoch milliseconds of the last change, the creation included. */
  updatedAt(event: KalshiSample): number;
}

/** @param now Epoch milliseconds. */
export function createKalshiState(now: () => number): KalshiState {
  const tickers = new Set(
    kalshiSamples.flatMap(event => event.markets.map(({ suffix }) => `${event.ticker}-${suffix}`)),
  );
  const states = new Map<string, MarketState>();
  const stateOf = (ticker: string) => states.get(ticker) ?? untouched;
  const change = (ticker: string, changed: Partial<MarketState>) => {
    if (!tickers.has(ticker)) throw new RangeError(`Kalshi's simulator has no market ${ticker}.`);
    states.set(ticker, { ...stateOf(ticker), ...changed, updatedAt: now() });
  };
  const marketsIn = (event: KalshiSample, isHistorical: boolean) =>
    event.markets.flatMap(market => {
      const marketState = stateOf(`${event.ticker}-${market.suffix}`);
      return marketState.isHistorical === isHistorical ? [kalshiMarket(event, market, marketState)] : [];
    });
  return {
    move: (ticker, step) => change(ticker, { step }),
    changeRules: (ticker, rules) => change(ticker, { rules }),
    archive: ticker => change(ticker, { isHistorical: true }),
    marketsOf: event => marketsIn(event, false),
    historicalMarketsOf: event => marketsIn(event, true),
    updatedAt: event =>
      Math.max(
        Date.parse(createdTime),
        ...event.markets.map(({ suffix }) => stateOf(`${event.ticker}-${suffix}`).updatedAt ?? 0),
      ),
  };
}

/** A market in Kalshi's format. */
export type KalshiMarket = ReturnType<typeof kalshiMarket>;

/** Kalshi sends prices and counts as decimal strings, and strikes as numbers. */
function kalshiMarket(event: KalshiSample, market: KalshiSample['markets'][number], state: MarketState) {
  const { step, updatedAt } = state;
  const has = (price: string, none: string) => (price === none ? '0.00' : '100.00');
  const updated = new Date(updatedAt ?? Date.parse(createdTime)).toISOString();
  return {
    ticker: `${event.ticker}-${market.suffix}`,
    event_ticker: event.ticker,
    market_type: 'binary',
    yes_sub_title: market.name,
    no_sub_title: market.name,
    created_time: createdTime,
    updated_time: updated,
    open_time: createdTime,
    close_time: step.status === 'active' ? event.waits : updated,
    expected_expiration_time: event.waits,
    latest_expiration_time: event.waits,
    occurrence_datetime: event.waits,
    settlement_timer_seconds: 60,
    can_close_early: true,
    status: step.status,
    yes_bid_dollars: market.bid,
    yes_bid_size_fp: has(market.bid, '0.0000'),
    yes_ask_dollars: market.ask,
    yes_ask_size_fp: has(market.ask, '1.0000'),
    no_bid_dollars: opposite(market.ask),
    no_ask_dollars: opposite(market.bid),
    last_price_dollars: market.last,
    previous_yes_bid_dollars: market.bid,
    previous_yes_ask_dollars: market.ask,
    previous_price_dollars: market.last,
    volume_fp: market.volume,
    volume_24h_fp: '0.00',
    open_interest_fp: market.volume,
    liquidity_dollars: '0.0000',
    notional_value_dollars: '1.0000',
    result: 'result' in step ? step.result : '',
    expiration_value: 'result' in step ? step.result : '',
    ...('value' in step ? { settlement_value_dollars: step.value } : {}),
    settlement_ts: step.status === 'finalized' ? updated : null,
    ...(market.strikeType === undefined ? {} : { strike_type: market.strikeType }),
    floor_strike: market.floor ?? null,
    cap_strike: market.cap ?? null,
    rules_primary: state.rules ?? event.rules,
    rules_secondary: '',
    price_level_structure: 'linear_cent',
    price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }],
    is_provisional: market.provisional ?? false,
    exchange_index: 0,
  };
}

function opposite(price: string): string {
  return (1 - Number(price)).toFixed(4);
}

const createdTime = '2026-01-05T15:00:00Z';
