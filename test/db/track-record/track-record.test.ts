import { beforeAll, describe, expect, test } from '@jest/globals';
import type { MarketEvent } from '../../../council/event.js';
import { saveEvent } from '../../../db/reports/events.js';
import {
  readCounts,
  readCurrentGrades,
  readExportedGrades,
  readTrackRecord,
  refreshTrackRecord,
  streamCurrentGrades,
} from '../../../db/track-record/track-record.js';
import { type Grade, gradeForecast } from '../../../record/grades/grade.js';
import type { RecordedForecast } from '../../../record/recorded-forecast.js';
import { event, market } from '../../council/fixtures.js';
import { resolved, twoSided } from '../../record/grade-fixtures.js';
import { plantGrades, plantReports } from '../../support/record/plant-record.js';
import { noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const voided: Grade = { state: 'void', scores: null, openMarkets: 0 };
const later = new Date('2031-03-05T13:00:00Z');

/** As `plantReports` sells it, with these rules. */
const sold = (rules: string | null) => event([market({ name: 'Rain', rules })]);
const gradedYes = (forecast: RecordedForecast) => {
  const grade = gradeForecast(forecast, resolved({ Rain: 'yes' }));
  if (grade === 'pending') throw new Error('not graded');
  return { reportId: forecast.report_id, grade };
};
const streamed = async (simulated = true) => {
  const rows: { id: number; state: string; recorded: number; grader: string }[] = [];
  await streamCurrentGrades(world.db, simulated, row =>
    rows.push({ id: row.reportId, state: row.state, recorded: row.forecast.report_id, grader: row.grader }),
  );
  return rows;
};

test('before the first refresh there are counts but no figures', async () => {
  expect(await readTrackRecord(world.db, true)).toBeNull();
  const none = {
    sold: 0,
    completed: 0,
    graded: 0,
    pending: 0,
    void: 0,
    fifty_fifty: 0,
    disputed: 0,
    failed: 0,
  };
  expect(await readCounts(world.db, true)).toEqual(none);
});

describe('with reports graded more than once', () => {
  let ids: number[];
  beforeAll(async () => {
    const planted = await plantReports(world, [
      ...[60, 70, 80].map(percent => twoSided(percent, 50)),
      twoSided(90, 50, {}, { simulated: false }),
    ]);
    ids = planted.map(({ report_id }) => report_id);
    const [first = 0, second = 0] = ids;
    await plantGrades(world, planted.filter(({ report_id }) => report_id !== ids[2]).map(gradedYes));
    // A correction of the second report, and a regrade of the first by a newer grader.
    await plantGrades(world, [{ reportId: second, grade: voided }]);
    await plantGrades(world, [{ reportId: first, grade: { ...voided, state: 'disputed' } }]);
    await plantGrades(world, [
      { ...gradedYes({ ...twoSided(60, 50), report_id: first }), grader: 'grader/2' },
    ]);
  });

  test('only the current grade counts, and live reports are separate', async () => {
    const [first, second, , live] = ids;
    expect(await streamed()).toEqual([
      { id: first, state: 'graded', recorded: first, grader: 'grader/2' },
      { id: second, state: 'void', recorded: second, grader: 'grader/1' },
    ]);
    expect(await streamed(false)).toEqual([
      { id: live, state: 'graded', recorded: live, grader: 'grader/1' },
    ]);
  });

  test('the counts add up to the completed reports', async () => {
    const counts = { completed: 3, graded: 1, void: 1, pending: 1, disputed: 0 };
    expect(await readCounts(world.db, true)).toMatchObject(counts);
    expect(await readCounts(world.db, false)).toMatchObject({ completed: 1, graded: 1, pending: 0 });
  });

  test('a refresh is stored as computed and never replaced by an older one', async () => {
    await refreshTrackRecord(world.db, true, later);
    const stored = await readTrackRecord(world.db, true);
    expect(stored).toMatchObject({
      as_of: later.toISOString(),
      council: { n: 1 },
      counts: { completed: 3, graded: 1 },
    });
    await refreshTrackRecord(world.db, true, noon);
    expect(await readTrackRecord(world.db, true)).toEqual(stored);
    expect(await readTrackRecord(world.db, false)).toBeNull();
  });

  test('figures that an earlier release computed by other rules are not published', async () => {
    await refreshTrackRecord(world.db, true, later);
    await world.sql(`update track_records set body = (body::jsonb - 'figures_version')::json`);
    expect(await readTrackRecord(world.db, true)).toBeNull();
    await refreshTrackRecord(world.db, true, later);
    expect(await readTrackRecord(world.db, true)).toMatchObject({ figures_version: 'figures/2' });
  });

  test('concurrent refreshes all succeed, and the newest stays', async () => {
    const hours = [15, 18, 14, 17, 16].map(hour => new Date(`2031-03-05T${hour}:00:00Z`));
    await Promise.all(hours.map(now => refreshTrackRecord(world.db, true, now)));
    expect(await readTrackRecord(world.db, true)).toMatchObject({ as_of: '2031-03-05T18:00:00.000Z' });
  });
});

test.each<[what: string, seen: MarketEvent, when: 'before' | 'after', changed: boolean]>([
  ['changed before its grade', sold('Over 2 mm.'), 'before', true],
  ['changed after its grade', sold('Over 2 mm.'), 'after', false],
  ['gained a market', event([...sold(null).markets, market({ name: 'Snow' })]), 'before', false],
])('whether its rules changed is in the row of a report: they %s', async (what, seen, when, changed) => {
  const [of] = await plantReports(world, [twoSided(60, 50, {}, { event_id: what, simulated: false })]);
  if (of === undefined) throw new Error('nothing was planted');
  const read = (at: Date) => saveEvent(world.db, { ...seen, eventId: what }, at);
  if (when === 'before') await read(new Date());
  await plantGrades(world, [gradedYes(of)]);
  // Not in the millisecond of the grade, in which it would count as known.
  if (when === 'after') await read(new Date(Date.now() + 1_000));
  const page = { after: of.report_id - 1, limit: 1 };
  const row = { reportId: of.report_id, rulesChanged: changed };
  expect(await readCurrentGrades(world.db, false, page)).toMatchObject([row]);
  expect(await readExportedGrades(world.db, false, page)).toMatchObject([row]);
});

test('thousands of reports are streamed in order, each once, and all count', async () => {
  const made = Array.from({ length: 4_321 }, (_, index) =>
    twoSided(index % 101, 50, { claude: 50 }, { event_id: `many-${index % 700}` }),
  );
  const planted = await plantReports(world, made);
  await plantGrades(world, planted.map(gradedYes));
  const rows = await streamed();
  expect(rows.slice(2).map(({ id }) => id)).toEqual(planted.map(({ report_id }) => report_id));
  expect(rows.every(({ id, recorded }) => id === recorded)).toBe(true);

  await refreshTrackRecord(world.db, true, new Date('2031-03-06T12:00:00Z'));
  expect(await readTrackRecord(world.db, true)).toMatchObject({
    counts: { completed: 4_324, graded: 4_322, void: 1, pending: 1 },
    events: 701,
    council: { n: 4_322, events: 701 },
    paired_difference: { n: 4_322, events: 701 },
    first_report_per_event: { council: { n: 701 } },
  });
});
