import type { Resolution } from './event.js';
import type { CouncilModel } from './models.js';
import type { Action, Bet, HeadlineSource } from './report.js';

export const recordVersion = 'record/1';

/**
 * What is frozen of a report when it is completed, before anybody can know the outcome: all that it will be graded by.
 * Percents are those that the report publishes, so that outsiders can redo every figure.
 */
export interface RecordedForecast {
  readonly record: typeof recordVersion;
  readonly report_id: number;
  readonly event_id: string;
  readonly event_title: string;
  readonly category: string | null;
  readonly simulated: boolean;
  /** Name and version of the method. */
  readonly method: string;
  /** The vendors' own ids of the models whose opinion counted. */
  readonly model_ids: Readonly<Partial<Record<CouncilModel, string>>>;
  /** SHA-256, hex, of the prompt of the opinions, of all stored answers, and of the frozen market. */
  readonly prompt_sha256: string;
  readonly answers_sha256: string;
  readonly market_sha256: string;
  readonly prices_at: string;
  readonly completed_at: string;
  readonly exclusive: boolean;
  readonly degraded: boolean;
  readonly conflict: boolean;
  readonly action: Action;
  readonly queried_market: string;
  readonly headline: { readonly outcome: string; readonly percent: number; readonly source: HeadlineSource };
  readonly outcomes: readonly RecordedOutcome[];
  /** Market ids that together are `Any other`. */
  readonly left_out: readonly string[];
  readonly bets: readonly RecordedBet[];
}

export interface RecordedOutcome {
  readonly name: string;
  /** Null for `Any other`. */
  readonly market_id: string | null;
  /** The side of the market that pays when this outcome happens. */
  readonly side: 'yes' | 'no';
  readonly council: number;
  /** Null where the market had no price. */
  readonly market: number | null;
  /** Each member's final forecast, in percent as it gave it. */
  readonly members: Readonly<Partial<Record<CouncilModel, number>>>;
}

export type RecordedBet = Pick<Bet, 'side' | 'market' | 'kind' | 'share_cost' | 'payout_per_dollar'> & {
  readonly market_id: string;
};

/** What the source says of each market of an event, by market id. */
export type MarketOutcomes = Readonly<Record<string, Resolution>>;
