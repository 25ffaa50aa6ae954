import { councilModels } from '../../../council/models.js';
import { at, roundTo } from '../../../council/numbers.js';
import { gradeForecast } from '../../../record/grades/grade.js';
import type { TimedSet } from '../../../record/learning/resolved-sets.js';
import type { RecordedForecast } from '../../../record/recorded-forecast.js';
import { twoSided } from '../../record/grade-fixtures.js';
import type { TestDatabase } from '../service/test-database.js';
import { plantReports } from './plant-record.js';

/** Inserts graded reports of events with one market, each made and resolved at the times of its set. */
export async function plantResolved(
  database: TestDatabase,
  sets: readonly TimedSet[],
  { simulated }: { simulated: boolean },
): Promise<void> {
  const forecasts = await plantReports(
    database,
    sets.map(set => forecastOf(set, simulated)),
  );
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into resolutions (event_id, outcomes, evidence, observed_at)
     select event_id, outcomes::json, '{}', observed_at
     from unnest($1::text[], $2::text[], $3::timestamptz[]) with ordinality as planted (event_id, outcomes, observed_at, place)
     order by place returning id`,
    [
      sets.map(({ event }) => event),
      sets.map(set => JSON.stringify(outcomesOf(set))),
      sets.map(({ resolvedAt }) => resolvedAt),
    ],
  );
  await database.pool.query(
    `insert into grades (report_id, resolution_id, grader, state, scores, graded_at)
     select report_id, resolution_id, 'grader/1', 'graded', scores::json, now()
     from unnest($1::bigint[], $2::bigint[], $3::text[]) as planted (report_id, resolution_id, scores)`,
    [
      forecasts.map(forecast => forecast.report_id),
      rows.map(({ id }) => id),
      forecasts.map((forecast, index) => JSON.stringify(scoresOf(forecast, at(sets, index)))),
    ],
  );
}

function forecastOf({ event, council, market, members, madeAt }: TimedSet, simulated: boolean) {
  const percents = councilModels.map((model, index) => [model, percent(at(at(members, index), 0))]);
  return twoSided(percent(at(council, 0)), percent(at(market, 0)), Object.fromEntries(percents), {
    event_id: event,
    completed_at: madeAt,
    simulated,
  });
}

function percent(p: number): number {
  return roundTo(p * 100, 1);
}

function outcomesOf({ happened }: TimedSet) {
  return { 'm-Rain': happened === 0 ? 'yes' : 'no' } as const;
}

function scoresOf(forecast: RecordedForecast, set: TimedSet) {
  const grade = gradeForecast(forecast, outcomesOf(set));
  if (grade === 'pending') throw new Error('not graded');
  return grade.scores;
}
