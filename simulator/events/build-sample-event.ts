/**
 * Builds a sample event in Gamma's format: lists as JSON strings, volumes as strings and as numbers, no
 * `bestBid` without a bid. All content is invented.
 */
export function buildSampleEvent(event: SampleEvent): unknown {
  const markets = event.markets.map(market => buildMarket(event, market));
  const volume = event.markets.reduce((sum, market) => sum + market.volume, 0);
  return {
    id: event.id,
    ticker: event.id,
    slug: event.id,
    title: event.title,
    description: `${event.rules}\n\nThis is a sample event: it was invented for this service and trades nowhere.`,
    startDate: event.endDate < '2026' ? '2024-01-08T12:00:00Z' : '2026-01-05T12:00:00Z',
    endDate: event.endDate,
    active: true,
    closed: event.closed ?? false,
    archived: false,
    volume,
    enableOrderBook: true,
    negRisk: event.exclusive ?? false,
    negRiskAugmented: event.openEnded ?? false,
    tags: [{ id: `sample-tag-${event.tag.toLowerCase()}`, label: event.tag, slug: event.tag.toLowerCase() }],
    markets,
  };
}

export interface SampleEvent {
  /** Also its slug. */
  readonly id: string;
  readonly title: string;
  readonly rules: string;
  readonly tag: string;
  readonly endDate: string;
  readonly closed?: boolean;
  /** Exactly one market resolves YES. */
  readonly exclusive?: boolean;
  /** Reserved slots can be named later (Gamma: `negRiskAugmented`). */
  readonly openEnded?: boolean;
  /** Taker fee rate; no fees if missing. */
  readonly feeRate?: number;
  readonly markets: readonly SampleMarket[];
}

export interface SampleMarket {
  /** The suffix of the market's id and slug. */
  readonly key: string;
  /** Short title; missing if the event has one market. */
  readonly title?: string;
  readonly question: string;
  readonly volume: number;
  readonly outcomes?: readonly [string, string];
  /** Best bid and ask; null for an empty side. Missing for closed markets. */
  readonly book?: readonly [bid: number | null, ask: number | null];
  readonly lastTrade?: number;
  /** Final prices. A market with final prices is closed. */
  readonly final?: readonly [string, string];
  readonly oracle?: 'proposed' | 'disputed' | 'resolved';
  /** A slot for an outcome without a name yet. */
  readonly reserved?: boolean;
  readonly other?: boolean;
}

function buildMarket(event: SampleEvent, market: SampleMarket): unknown {
  const slug = `${event.id}-${market.key}`;
  const closed = market.final !== undefined;
  return {
    id: slug,
    question: market.question,
    slug,
    endDate: event.endDate,
    description: event.rules,
    outcomes: JSON.stringify(market.outcomes ?? ['Yes', 'No']),
    ...pricesOf(market),
    volume: market.volume.toFixed(6),
    volumeNum: market.volume,
    active: market.reserved !== true,
    closed,
    acceptingOrders: !closed,
    groupItemTitle: market.title ?? null,
    negRisk: event.exclusive ?? false,
    negRiskOther: market.other ?? false,
    umaResolutionStatuses: JSON.stringify(market.oracle === undefined ? [] : ['proposed', market.oracle]),
    ...(market.oracle === undefined ? {} : { umaResolutionStatus: market.oracle }),
    feesEnabled: event.feeRate !== undefined,
    ...(event.feeRate === undefined
      ? {}
      : { feeSchedule: { exponent: 1, rate: event.feeRate, takerOnly: true, rebateRate: 0.25 } }),
  };
}

/** Gamma reports an empty book as bid 0 and ask 1 for reserved slots, and omits a missing bid elsewhere. */
function pricesOf(market: SampleMarket): Record<string, unknown> {
  if (market.reserved === true) return { bestBid: 0, bestAsk: 1, lastTradePrice: 0 };
  const [bid, ask] = market.book ?? [null, null];
  const middle = ((bid ?? 0) + (ask ?? 1)) / 2;
  return {
    outcomePrices: JSON.stringify(market.final ?? [middle.toFixed(4), (1 - middle).toFixed(4)]),
    ...(bid === null ? {} : { bestBid: bid }),
    bestAsk: ask ?? 1,
    lastTradePrice: market.lastTrade ?? 0,
  };
}
