import type { MarketEvent } from '../council/event.js';
import type { RunFailureCode } from '../council/report.js';

/** What an entry of the record tells of a report: that it was sold, or how its run ended. */
export type EntryKind = 'sold' | 'completed' | 'failed';

/** A forecast is public at most this long after its event should have closed, or was sold, whichever is later. */
export const openingGraceDays = 30;
/** For an event without a closing time: this long after the sale. */
export const openingWithoutCloseDays = 365;

/** The payload of an entry `sold`: which report, on which event and by which rules, before anybody knows its forecast. */
export interface RecordedSale {
  readonly record: 'sale/1';
  readonly report_id: number;
  readonly event_id: string;
  readonly event_title: string;
  /** As the market states them. */
  readonly rules: string;
  readonly resolution_source: string | null;
  /** ISO 8601, UTC. The scheduled end of trading. */
  readonly closes_at: string | null;
  readonly market_ids: readonly string[];
  /** SHA-256, hex, of {@link marketRules}; null if no market states rules of its own. */
  readonly market_rules_sha256: string | null;
  /** ISO 8601, UTC. */
  readonly sold_at: string;
}

export interface SaleInput {
  readonly reportId: number;
  readonly soldAt: Date;
  /** The market as it was frozen with the sale. */
  readonly event: MarketEvent;
  /** SHA-256, hex, of a value's JSON. */
  readonly sha256: (value: unknown) => string;
}

export function recordedSale({ reportId, soldAt, event, sha256 }: SaleInput): RecordedSale {
  const rules = marketRules(event);
  return {
    record: 'sale/1',
    report_id: reportId,
    event_id: event.eventId,
    event_title: event.title,
    rules: event.description,
    resolution_source: event.resolutionSource,
    closes_at: event.closesAt,
    market_ids: event.markets.map(({ marketId }) => marketId),
    market_rules_sha256: rules.some(([, own]) => own !== null) ? sha256(rules) : null,
    sold_at: soldAt.toISOString(),
  };
}

/** Each market's id and own rules, in the order of `market_ids`. Hashed, because hundreds of markets may repeat them. */
function marketRules({ markets }: MarketEvent): (readonly [marketId: string, rules: string | null])[] {
  return markets.map(({ marketId, rules }) => [marketId, rules]);
}

/** When everybody may read the entries of a report, whatever becomes of its event. */
export function opensBy({ closes_at, sold_at }: Pick<RecordedSale, 'closes_at' | 'sold_at'>): Date {
  const soldMs = Date.parse(sold_at);
  if (closes_at === null) return new Date(soldMs + openingWithoutCloseDays * dayMs);
  return new Date(Math.max(Date.parse(closes_at), soldMs) + openingGraceDays * dayMs);
}

const dayMs = 24 * 3_600_000;

/** The payload of an entry `failed`. */
export interface RecordedFailure {
  readonly record: 'failure/1';
  readonly report_id: number;
  readonly code: RunFailureCode;
}
