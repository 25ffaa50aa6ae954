import { z } from 'zod';
import { visibleLine, visibleText } from '../../council/text.js';

/** The shape of a ticker, which becomes part of paths and of stored ids: in a path, `..` would select another resource. */
export const tickerPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/**
 * The fields used from a market of Kalshi. Dollars and counts of contracts are decimal strings; a JSON number is refused,
 * because the integer cents of earlier versions would be read as dollars. A field that decides no price and no result
 * becomes null if its value is unexpected. Unknown fields are allowed.
 */
export const kalshiMarketSchema = z.object({
  ticker: ticker(),
  event_ticker: ticker(),
  /** A scalar market has no YES to forecast. */
  market_type: z.literal('binary').optional(),
  status: z.string().min(1),
  result: z.string().nullish(),
  yes_sub_title: line(),
  open_time: lenient(time()),
  close_time: lenient(time()),
  occurrence_datetime: lenient(time()),
  expected_expiration_time: lenient(time()),
  latest_expiration_time: lenient(time()),
  can_close_early: lenient(z.boolean()),
  early_close_condition: lenient(line()),
  yes_bid_dollars: dollars(),
  yes_bid_size_fp: decimal().nullish(),
  yes_ask_dollars: dollars(),
  yes_ask_size_fp: decimal().nullish(),
  last_price_dollars: dollars(),
  volume_fp: decimal(),
  settlement_value_dollars: settled(),
  settlement_ts: lenient(time()),
  strike_type: lenient(z.string()),
  floor_strike: lenient(z.number()),
  cap_strike: lenient(z.number()),
  rules_primary: lenient(z.string().transform(visibleText)),
  rules_secondary: lenient(z.string().transform(visibleText)),
  is_provisional: lenient(z.boolean()),
});

/** Without `with_nested_markets`, and for settled markets before the cutoff, `markets` is missing or shorter. */
export const kalshiEventSchema = z.object({
  event_ticker: ticker(),
  series_ticker: ticker(),
  title: line().pipe(z.string().min(1)),
  sub_title: lenient(line()),
  mutually_exclusive: z.boolean(),
  category: lenient(line()),
  settlement_sources: lenient(z.array(settlementSource())),
  fee_type_override: z.string().nullish(),
  fee_multiplier_override: z.number().nullish(),
  /** Which shard of the exchange trades the event; 0 if it is not said. */
  exchange_index: lenient(z.number().int()),
  markets: z.array(kalshiMarketSchema).nullish(),
});

export const kalshiSeriesSchema = z.object({
  ticker: ticker(),
  category: lenient(line()),
  fee_type: z.string(),
  fee_multiplier: z.number(),
});

export const kalshiEventAnswer = z.object({ event: z.unknown() });
export const kalshiEventsAnswer = z.object({ events: z.array(z.unknown()) });
export const kalshiSeriesAnswer = z.object({ series: kalshiSeriesSchema });
/** An empty cursor ends the list. */
export const kalshiMarketsAnswer = z.object({
  markets: z.array(z.unknown()).nullable(),
  cursor: lenient(z.string()),
});

/** `price` has no close in a period without a trade. The history names the same fields without `_dollars`. */
export const kalshiCandlesticksAnswer = z.object({
  candlesticks: z.array(
    z.object({
      /** Seconds since 1970. */
      end_period_ts: z.number().int(),
      price: z
        .object({
          close_dollars: dollars().nullish(),
          previous_dollars: dollars().nullish(),
          close: dollars().nullish(),
          previous: dollars().nullish(),
        })
        .transform(price => ({
          close: price.close_dollars ?? price.close ?? null,
          previous: price.previous_dollars ?? price.previous ?? null,
        })),
    }),
  ),
});

export type KalshiEvent = z.infer<typeof kalshiEventSchema>;
export type KalshiMarket = z.infer<typeof kalshiMarketSchema>;
export type KalshiSeries = z.infer<typeof kalshiSeriesSchema>;

function settlementSource() {
  return z.object({ name: lenient(line()), url: lenient(line()) });
}

function lenient<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().catch(null);
}

function line() {
  return z.string().transform(visibleLine);
}

function ticker() {
  return z.string().regex(tickerPattern);
}

/** ISO 8601, UTC, in milliseconds. */
function time() {
  return z
    .string()
    .refine(text => !Number.isNaN(Date.parse(text)))
    .transform(text => new Date(text).toISOString());
}

/** A count of at least 0, with up to six decimals. */
function decimal() {
  return z
    .string()
    .regex(/^\d{1,15}(?:\.\d{1,6})?$/)
    .transform(Number);
}

/** A price of a contract, which pays a dollar. */
function dollars() {
  return decimal().refine(price => price <= 1);
}

/** Missing, null or empty until there is a result. */
function settled() {
  return z.union([z.literal('').transform(() => null), dollars()]).nullish();
}
