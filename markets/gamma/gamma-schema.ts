import { z } from 'zod';

/**
 * What we read of an event of Polymarket's Gamma API. Only `id` and `title` are demanded; whatever else is
 * missing or of an unexpected type reads as null, so that one new kind of value does not cost the whole event.
 * `markets` stays unread: each goes through {@link gammaMarketSchema} by itself.
 */
export const gammaEventSchema = z.object({
  id: identifier(),
  title: words(),
  slug: lenient(words()),
  description: lenient(z.string()),
  category: lenient(words()),
  endDate: lenient(words()),
  closed: lenient(z.boolean()),
  negRisk: lenient(z.boolean()),
  negRiskAugmented: lenient(z.boolean()),
  volume: lenient(numeric()),
  tags: lenient(z.array(z.unknown())),
  markets: lenient(z.array(z.unknown())),
});

/**
 * What we read of a Gamma market. It needs an id and a question or a slug; the rest may be missing.
 * Prices are dollars a share (0..1), volumes dollars; both come as numbers or as strings.
 */
export const gammaMarketSchema = z
  .object({
    id: identifier(),
    question: lenient(words()),
    slug: lenient(words()),
    groupItemTitle: lenient(words()),
    description: lenient(z.string()),
    endDate: lenient(words()),
    active: lenient(z.boolean()),
    closed: lenient(z.boolean()),
    negRisk: lenient(z.boolean()),
    outcomes: lenient(encodedList(z.string())),
    outcomePrices: lenient(encodedList(numeric())),
    bestBid: lenient(numeric()),
    bestAsk: lenient(numeric()),
    lastTradePrice: lenient(numeric()),
    volume: lenient(numeric()),
    volumeNum: lenient(numeric()),
    umaResolutionStatus: lenient(words()),
    umaResolutionStatuses: lenient(encodedList(z.string())),
    feesEnabled: lenient(z.boolean()),
    feeSchedule: lenient(z.object({ rate: numeric(), exponent: lenient(numeric()) })),
  })
  .refine(market => market.question !== null || market.slug !== null);

export const gammaTagSchema = z.object({ label: words() });

/** The answer of `/public-search`. Without a match `events` is null or absent. */
export const gammaSearchSchema = z.object({
  events: z.array(z.unknown()).nullish(),
  pagination: lenient(z.object({ hasMore: lenient(z.boolean()), totalResults: lenient(numeric()) })),
});

/** A block of `/events/keyset`; `next_cursor` is absent on the last one. */
export const gammaKeysetSchema = z.object({
  events: z.array(z.unknown()),
  next_cursor: lenient(words()),
});

export type GammaEvent = z.infer<typeof gammaEventSchema>;
export type GammaMarket = z.infer<typeof gammaMarketSchema>;

function lenient<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().catch(null);
}

function words() {
  return z.string().trim().min(1);
}

function identifier() {
  return z.union([words(), z.number().int().transform(String)]);
}

/** An empty string is no number, although `Number('')` is 0. */
function numeric() {
  return z.union([z.number(), words().transform(Number).pipe(z.number())]);
}

/** Gamma puts lists into strings: `"[\"Yes\", \"No\"]"`. */
function encodedList<Item extends z.ZodType>(item: Item) {
  return z.union([z.array(item), z.string().transform(decode).pipe(z.array(item))]);
}

function decode(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
