import type { ColumnType, GeneratedAlways } from 'kysely';
import type { GradeState, ReportScores } from '../council/track-record/grade.js';
import type { MarketOutcomes } from '../council/track-record/recorded-forecast.js';
import type { TrackRecord } from '../council/track-record/track-record.js';
import type { Frozen, FrozenJson } from './column-types.js';

/** The tables of the public record; see `schema.ts`. */

export interface RecordEntriesTable {
  seq: Frozen<number>;
  report_id: Frozen<number>;
  /** The text that was hashed: a `RecordedForecast` as JSON. */
  payload: Frozen<string>;
  previous_hash: Frozen<Buffer>;
  hash: Frozen<Buffer>;
  created_at: Frozen<Date>;
}

/** One row: from when on every completed report has an entry. */
export interface RecordBeganTable {
  one: ColumnType<boolean, undefined, never>;
  at: Frozen<Date>;
}

export interface ResolutionsTable {
  id: GeneratedAlways<number>;
  event_id: Frozen<string>;
  outcomes: FrozenJson<MarketOutcomes>;
  evidence: FrozenJson<object>;
  observed_at: Frozen<Date>;
}

export interface GradesTable {
  id: GeneratedAlways<number>;
  report_id: Frozen<number>;
  resolution_id: Frozen<number>;
  grader: Frozen<string>;
  state: Frozen<GradeState>;
  scores: ColumnType<ReportScores | null, string | null, never>;
  graded_at: Frozen<Date>;
}

export interface TrackRecordsTable {
  simulated: Frozen<boolean>;
  body: ColumnType<TrackRecord, string, string>;
  computed_at: Date;
}
