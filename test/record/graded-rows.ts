import type { Resolution } from '../../council/event.js';
import { type Counts, type GradedRow, trackRecord } from '../../record/figures/track-record.js';
import { gradeForecast } from '../../record/grades/grade.js';
import type { RecordedForecast } from '../../record/recorded-forecast.js';
import { resolved, twoSided } from './grade-fixtures.js';

export const counts: Counts = {
  sold: 13,
  completed: 9,
  graded: 5,
  pending: 1,
  void: 1,
  fifty_fifty: 1,
  disputed: 1,
  failed: 2,
};
export const asOf = '2031-03-05T12:00:00.000Z';
/** The track record of these rows. */
export const of = (rows: readonly GradedRow[]) => trackRecord(rows, counts, asOf);

/** A graded report on a single market. */
export const rain = (
  council: number,
  market: number | null,
  Rain: Resolution,
  more: Partial<RecordedForecast> = {},
) => graded(twoSided(council, market, { claude: council, gpt: council }, more), resolved({ Rain }));

export function graded(row: RecordedForecast, outcomes: Readonly<Record<string, Resolution>>): GradedRow {
  const grade = gradeForecast(row, outcomes);
  if (grade === 'pending') throw new Error('not graded');
  return { forecast: row, resolvedAt: new Date(asOf), rulesChanged: false, ...grade };
}

/** Events with one report each, of which `wins` in ten resolve YES. */
export const events = (
  count: number,
  council: number,
  market: number,
  wins: number,
  more: Partial<RecordedForecast> = {},
) =>
  Array.from({ length: count }, (_, index) =>
    rain(council, market, index % 10 < wins ? 'yes' : 'no', { event_id: `e${index}`, ...more }),
  );
