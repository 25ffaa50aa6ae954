import { z } from 'zod';
import { visibleLine, visibleText } from '../../council/text.js';

/**
 * The fields used from an event of Polymarket's Gamma API. Only `id` and `title` are required. Other fields
 * become null if they are missing or have an unexpected type, so that one unknown value does not invalidate
 * the whole event. Texts lose the characters that nobody sees. Each entry of `markets` is parsed separately with
 * {@link gammaMarketSchema}.
 */
export const gammaEventSchema = z.object({
  id: identifier(),
  title: text(),
  slug: lenient(key()),
  description: lenient(z.string().transform(visibleText)),
  category: lenient(text()),
  startDate: lenient(filled()),
  createdAt: lenient(filled()),
  endDate: lenient(filled()),
  resolutionSource: lenient(text()),
  closed: lenient(z.boolean()),
  negRisk: lenient(z.boolean()),
  negRiskAugmented: lenient(z.boolean()),
  volume: lenient(numeric()),
  tags: lenient(z.array(z.unknown())),
  markets: lenient(z.array(z.unknown())),
});

/**
 * The fields used from a Gamma market. An id and either a question or a slug are required. Prices are dollars
 * per share (0..1), volumes are dollars; both can be numbers or strings.
 */
export const gammaMarketSchema = z
  .object({
    id: identifier(),
    /** 32 bytes in hex: what the oracle's answer is found by. */
    conditionId: lenient(z.string().regex(/^0x[0-9a-f]{64}$/i)),
    question: lenient(text()),
    slug: lenient(key()),
    groupItemTitle: lenient(text()),
    description: lenient(z.string().transform(visibleText)),
    startDate: lenient(filled()),
    acceptingOrdersTimestamp: lenient(filled()),
    createdAt: lenient(filled()),
    endDate: lenient(filled()),
    resolutionSource: lenient(text()),
    active: lenient(z.boolean()),
    closed: lenient(z.boolean()),
    negRisk: lenient(z.boolean()),
    negRiskOther: lenient(z.boolean()),
    outcomes: lenient(encodedList(z.string().transform(visibleLine))),
    outcomePrices: lenient(encodedList(numeric())),
    clobTokenIds: lenient(encodedList(filled())),
    bestBid: lenient(numeric()),
    bestAsk: lenient(numeric()),
    lastTradePrice: lenient(numeric()),
    volume: lenient(numeric()),
    volumeNum: lenient(numeric()),
    umaResolutionStatus: lenient(filled()),
    umaResolutionStatuses: lenient(encodedList(z.string())),
    feesEnabled: lenient(z.boolean()),
    feeSchedule: lenient(z.object({ rate: numeric(), exponent: lenient(numeric()) })),
  })
  .refine(market => market.question !== null || market.slug !== null);

export const gammaTagSchema = z.object({ label: text(), slug: lenient(key()) });

/** The response of `/public-search`. Without a match, `events` is null or missing. */
export const gammaSearchSchema = z.object({
  events: z.array(z.unknown()).nullish(),
  pagination: lenient(z.object({ hasMore: lenient(z.boolean()), totalResults: lenient(numeric()) })),
});

/** A batch of `/events/keyset`. The last batch has no `next_cursor`. */
export const gammaKeysetSchema = z.object({
  events: z.array(z.unknown()),
  next_cursor: lenient(filled()),
});

export type GammaEvent = z.infer<typeof gammaEventSchema>;
export type GammaMarket = z.infer<typeof gammaMarketSchema>;

function lenient<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().catch(null);
}

/** A text of one line that is shown. */
function text() {
  return z.string().transform(visibleLine).pipe(z.string().min(1));
}

function filled() {
  return z.string().trim().min(1);
}

/** What the market is asked by, and what grades are found by: kept as it is, or refused if it hides a character. */
function key() {
  return filled().refine(name => name === visibleLine(name));
}

function identifier() {
  return z.union([key(), z.number().int().transform(String)]);
}

/** Rejects an empty string, for which `Number('')` is 0. */
function numeric() {
  return z.union([z.number(), filled().transform(Number).pipe(z.number())]);
}

/** Gamma encodes lists as JSON strings: `"[\"Yes\", \"No\"]"`. */
function encodedList<Item extends z.ZodType>(item: Item) {
  return z.union([z.array(item), z.string().transform(decode).pipe(z.array(item))]);
}

function decode(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
