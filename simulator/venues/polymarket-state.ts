import { z } from 'zod';
import polymarketEvents from './polymarket-events.json' with { type: 'json' };

const marketShape = z.strictObject({
  key: z.string(),
  /** Empty if the event has one market. */
  name: z.string(),
  question: z.string(),
  bid: z.number(),
  ask: z.number(),
  last: z.number(),
  /** US dollars. */
  volume: z.number(),
});

const eventShape = z.strictObject({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  /** What lists of events are filtered by. */
  tags: z.array(z.strictObject({ id: z.string(), label: z.string(), slug: z.string() })),
  exclusive: z.boolean(),
  rules: z.string(),
  endDate: z.iso.datetime(),
  markets: z.array(marketShape),
});

type PolymarketSample = z.infer<typeof eventShape>;

const samples = z.array(eventShape).parse(polymarketEvents);

/** A step of a market's resolution. `price` is the first side's: proposed first, decided at `resolved`. */
export interface PolymarketStep {
  readonly status: 'initialized' | 'posed' | 'proposed' | 'disputed' | 'reproposed' | 'resolved';
  readonly price: 0 | 0.5 | 1 | null;
}

interface MarketState extends PolymarketStep {
  readonly wasDisputed: boolean;
  readonly rules: string | null;
  /** Epoch milliseconds of the last change; null if it never changed. */
  readonly updatedAt: number | null;
}

const untouched: MarketState = {
  status: 'initialized',
  price: null,
  wasDisputed: false,
  rules: null,
  updatedAt: null,
};

export interface PolymarketState {
  /** @throws RangeError if there is no such market. */
  readonly move: (marketId: string, step: PolymarketStep) => void;
  /** @throws RangeError if there is no such market. */
  readonly changeRules: (marketId: string, rules: string) => void;
  /** All events in Gamma's format. */
  events(): readonly GammaSample[];
  /** The rows of `/v2/resolutions` for these conditions; none for an unknown one. */
  resolutions(conditionIds: readonly string[]): readonly ResolutionRow[];
}

/** @param now Epoch milliseconds. */
export function createPolymarketState(now: () => number): PolymarketState {
  const markets = samples.flatMap(event => event.markets);
  const states = new Map<string, MarketState>();
  const stateOf = (marketId: string) => states.get(marketId) ?? untouched;
  const change = (marketId: string, changed: Partial<MarketState>) => {
    if (!markets.some(({ key }) => key === marketId)) {
      throw new RangeError(`Polymarket's simulator has no market ${marketId}.`);
    }
    states.set(marketId, { ...stateOf(marketId), ...changed, updatedAt: now() });
  };
  return {
    move: (marketId, step) =>
      change(marketId, { ...step, wasDisputed: stateOf(marketId).wasDisputed || step.status === 'disputed' }),
    changeRules: (marketId, rules) => change(marketId, { rules }),
    events: () => samples.map(event => gammaEvent(event, stateOf)),
    resolutions: conditionIds =>
      markets
        .filter(({ key }) => conditionIds.includes(conditionOf(key)))
        .map(({ key }) => resolutionRow(key, stateOf(key))),
  };
}

type GammaSample = ReturnType<typeof gammaEvent>;

function gammaEvent(event: PolymarketSample, stateOf: (marketId: string) => MarketState) {
  const markets = event.markets.map(market => gammaMarket(event, market, stateOf(market.key)));
  return {
    id: event.id,
    slug: event.slug,
    title: event.title,
    description: event.rules,
    startDate,
    createdAt: startDate,
    endDate: event.endDate,
    active: true,
    closed: markets.every(({ closed }) => closed),
    negRisk: event.exclusive,
    volume: event.markets.reduce((sum, { volume }) => sum + volume, 0),
    tags: [{ id: '1', label: 'Simulated', slug: 'simulated' }, ...event.tags],
    markets,
  };
}

/** Gamma closes a market when a price is proposed, long before the oracle's word is final. */
function gammaMarket(
  event: PolymarketSample,
  market: PolymarketSample['markets'][number],
  { status, price, rules }: MarketState,
) {
  const closed = price !== null;
  const first = price ?? market.last;
  return {
    id: market.key,
    question: market.question,
    slug: `simulated-market-${market.key}`,
    conditionId: conditionOf(market.key),
    groupItemTitle: market.name,
    description: rules ?? event.rules,
    startDate,
    createdAt: startDate,
    endDate: event.endDate,
    active: true,
    closed,
    negRisk: event.exclusive,
    outcomes: JSON.stringify(['Yes', 'No']),
    outcomePrices: JSON.stringify([String(first), (1 - first).toFixed(2)]),
    clobTokenIds: JSON.stringify([`${market.key}1`, `${market.key}2`]),
    bestBid: market.bid,
    bestAsk: market.ask,
    lastTradePrice: market.last,
    volume: String(market.volume),
    volumeNum: market.volume,
    feesEnabled: false,
    ...(status === 'initialized' || status === 'posed' ? {} : { umaResolutionStatus: gammaStatus(status) }),
  };
}

function gammaStatus(status: PolymarketStep['status']): string {
  return status === 'reproposed' ? 'proposed' : status;
}

type ResolutionRow = ReturnType<typeof resolutionRow>;

function resolutionRow(key: string, state: MarketState) {
  const at = state.updatedAt === null ? null : new Date(state.updatedAt).toISOString();
  const resolved = state.status === 'resolved';
  const price = state.price === null ? unset : priceOnChain(state.price);
  return {
    question_id: conditionOf(`9${key}`),
    condition_id: conditionOf(key),
    status: state.status,
    was_disputed: state.wasDisputed,
    was_arbitrated: false,
    extended_review: false,
    new_version_q: state.rules !== null,
    proposed_price: price,
    reproposed_price: state.wasDisputed ? price : unset,
    price: resolved ? price : unset,
    resolution_source: 'reported',
    reporter: 'UMA_OO',
    market_type: 'BINARY',
    transaction_hash: resolved ? conditionOf(`8${key}`) : null,
    resolved_at: resolved ? at : null,
    last_update_timestamp: at,
  };
}

/** The data API's word for a price that is not set. */
const unset = '69';

/** 18 decimals. */
function priceOnChain(price: 0 | 0.5 | 1): string {
  return price === 0.5 ? '500000000000000000' : price === 1 ? '1000000000000000000' : '0';
}

/** 32 bytes in hex. */
function conditionOf(key: string): string {
  return `0x${key.padStart(64, '0')}`;
}

const startDate = '2026-01-05T15:00:00Z';
