import { z } from 'zod';

/** What `id`s and keys are made of. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

const price = z.number().nullable();
const pair = z.tuple([z.string(), z.string()]);

export const sampleMarketShape = z.strictObject({
  /** The suffix of the market's id and slug; by default its title. */
  key: z.string().optional(),
  /** Short title; missing if the event has one market. */
  title: z.string().optional(),
  /** By default the question of the event, with the title in the place of `{title}`. */
  question: z.string().optional(),
  /** When it opened; by default, when the event did. */
  startDate: z.string().optional(),
  volume: z.number(),
  outcomes: pair.optional(),
  /** Best bid and ask; null for an empty side. Missing for closed markets. */
  book: z.tuple([price, price]).optional(),
  lastTrade: z.number().optional(),
  /** Final prices. A market with final prices is closed. */
  final: pair.optional(),
  oracle: z.enum(['proposed', 'disputed', 'resolved']).optional(),
  /** A slot for an outcome without a name yet. */
  reserved: z.boolean().optional(),
  other: z.boolean().optional(),
});

export type SampleMarket = Readonly<z.output<typeof sampleMarketShape>>;

export const sampleEventShape = z.strictObject({
  /** Also its slug. */
  id: z.string(),
  title: z.string(),
  rules: z.string(),
  tag: z.string(),
  /** When it opened; by default in January 2026, or in January 2024 if it has ended. */
  startDate: z.string().optional(),
  endDate: z.string(),
  /** Exactly one market resolves YES. */
  exclusive: z.boolean().optional(),
  /** Reserved slots can be named later (Gamma: `negRiskAugmented`). */
  openEnded: z.boolean().optional(),
  /** Taker fee rate; no fees if missing. */
  feeRate: z.number().optional(),
  question: z.string().optional(),
  markets: z.array(sampleMarketShape),
});

export interface SampleEvent extends Readonly<Omit<z.output<typeof sampleEventShape>, 'markets'>> {
  readonly markets: readonly SampleMarket[];
}

/**
 * Builds a sample event in Gamma's format: lists as JSON strings, volumes as strings and as numbers, no
 * `bestBid` without a bid. All content is invented.
 */
export function buildSampleEvent(event: SampleEvent, { closed = false } = {}): unknown {
  const markets = event.markets.map(market => buildMarket(event, market));
  const volume = event.markets.reduce((sum, market) => sum + market.volume, 0);
  return {
    id: event.id,
    ticker: event.id,
    slug: event.id,
    title: event.title,
    description: `${event.rules}\n\nThis is a sample event: it was invented for this service and trades nowhere.`,
    startDate: openingOf(event),
    endDate: event.endDate,
    active: true,
    closed,
    archived: false,
    volume,
    enableOrderBook: true,
    negRisk: event.exclusive ?? false,
    negRiskAugmented: event.openEnded ?? false,
    tags: [{ id: `sample-tag-${event.tag.toLowerCase()}`, label: event.tag, slug: event.tag.toLowerCase() }],
    markets,
  };
}

function openingOf({ startDate, endDate }: SampleEvent): string {
  return startDate ?? (endDate < '2026' ? '2024-01-08T12:00:00Z' : '2026-01-05T12:00:00Z');
}

function buildMarket(event: SampleEvent, market: SampleMarket): unknown {
  const slug = `${event.id}-${market.key ?? slugOf(market.title ?? '')}`;
  const closed = market.final !== undefined;
  return {
    id: slug,
    question: market.question ?? event.question?.replaceAll('{title}', market.title ?? ''),
    slug,
    startDate: market.startDate ?? openingOf(event),
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
