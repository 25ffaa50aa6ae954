import type { Venue } from '../event.js';

/**
 * The price of a market of another venue that asks the same question as a market of a report, by the reviewed list of
 * pairs. Read when the report was concluded, and frozen with it. It enters no number of the report.
 */
export interface OtherVenuePrice {
  /** What YES of the market stands for among the outcomes of the report. */
  readonly outcome: string;
  readonly venue: Venue;
  /** Of the other venue, as also all that follows. */
  readonly event_id: string;
  readonly slug: string;
  /** The event's page at the venue; null if it has none. */
  readonly url: string | null;
  /** 0..1: the middle of a tight book, or the last trade. YES means the same at both venues. */
  readonly yes_price: number;
  /** ISO 8601, UTC. */
  readonly read_at: string;
}
