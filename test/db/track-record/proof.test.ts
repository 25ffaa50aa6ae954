import { expect, test } from '@jest/globals';
import { measureProof, readProof } from '../../../db/track-record/proof.js';
import { refreshTrackRecord } from '../../../db/track-record/track-record.js';
import { gradeForecast } from '../../../record/grades/grade.js';
import { resolved, twoSided } from '../../record/grade-fixtures.js';
import { plantReports } from '../../support/record/plant-record.js';
import { useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const minute = 60_000;
const authority = 'https://timestamps.example/tsr';

interface Answer {
  /** In minutes after the entry, as all times here. */
  readonly observed: number;
  readonly closes?: number;
}

interface Planted {
  /** When the newest entry is stamped; null: the report is stamped by no receipt. */
  readonly stamped: number | null;
  /** The last one is the one that the grade is based on. */
  readonly answers: readonly Answer[];
  readonly state?: 'graded' | 'void';
  readonly simulated?: boolean;
}

/** A report on an event of its own, its receipt, what the market answered, and its grade. */
async function plant(name: string, { stamped, answers, state = 'graded', simulated = true }: Planted) {
  const [report] = await plantReports(world, [twoSided(60, 50, {}, { event_id: name, simulated })]);
  const [entry] = await world.sql(
    `select seq, created_at from record_entries where kind = 'completed' and report_id = $1`,
    [report?.report_id],
  );
  const at = (minutes: number) => new Date(entry.created_at.getTime() + minutes * minute);
  if (stamped !== null) {
    await world.sql(
      `insert into record_timestamps (seq, hash, authority, token, stamped_at)
       select seq, hash, $1, '', $2 from record_entries order by seq desc limit 1`,
      [authority, at(stamped)],
    );
  }
  let resolution: number | undefined;
  for (const { observed, closes } of answers) {
    const evidence = closes === undefined ? {} : { closes_at: at(closes).toISOString() };
    const rows = await world.sql(
      `insert into resolutions (event_id, outcomes, evidence, observed_at)
       select event_id, '{}', $1, $2 from reports where id = $3 returning id`,
      [JSON.stringify(evidence), at(observed), report?.report_id],
    );
    resolution = rows[0].id;
  }
  if (resolution === undefined || report === undefined) return;
  const grade = gradeForecast(report, resolved({ Rain: state === 'void' ? 'void' : 'yes' }));
  const scores = grade === 'pending' ? null : grade.scores;
  await world.sql(
    `insert into grades (report_id, resolution_id, grader, state, scores, graded_at)
     values ($1, $2, 'grader/1', $3, $4, now())`,
    [report.report_id, resolution, state, scores === null ? null : JSON.stringify(scores)],
  );
}

const proof = (simulated = true) =>
  world.db.transaction().execute(tx => measureProof(tx, simulated, new Date()));

test('nothing is proved, and nothing claimed, without reports and receipts', async () => {
  expect(await proof()).toEqual({ graded: 0, stamped_before_outcome: 0, unproven: 0, overdue: 0 });
  expect(await readProof(world.db, true)).toEqual({ proof: null, authority: null });
});

test.each<readonly [string, Planted, isProved: boolean]>([
  ['by a receipt from before its outcome', { stamped: 5, answers: [{ observed: 6 }] }, true],
  ['by no receipt from after its outcome', { stamped: 6, answers: [{ observed: 5 }] }, false],
  [
    'by no receipt from after the market was to close',
    { stamped: 6, answers: [{ observed: 90, closes: 5 }] },
    false,
  ],
  [
    'by a receipt from before a market that is decided early',
    { stamped: 5, answers: [{ observed: 6, closes: 90 }] },
    true,
  ],
  [
    'by no receipt from after an answer that was corrected later',
    { stamped: 6, answers: [{ observed: 5 }, { observed: 90 }] },
    false,
  ],
  [
    'although the event had an answer before it was made, for markets that it is not about',
    { stamped: 5, answers: [{ observed: -10 }, { observed: 6 }] },
    true,
  ],
  ['by nothing if it was made after its outcome', { stamped: 1, answers: [{ observed: -10 }] }, false],
])('a forecast is proved %s', async (name, planted, isProved) => {
  const before = await proof();
  await plant(name, planted);
  expect(await proof()).toEqual({
    ...before,
    graded: before.graded + 1,
    stamped_before_outcome: before.stamped_before_outcome + (isProved ? 1 : 0),
    unproven: before.unproven + (isProved ? 0 : 1),
  });
});

test('only graded forecasts count, live ones apart, and the first receipt that covers an entry', async () => {
  const before = await proof();
  await plant('void', { stamped: 5, answers: [{ observed: 6 }], state: 'void' });
  await plant('pending', { stamped: 5, answers: [] });
  await plant('live', { stamped: 5, answers: [{ observed: 6 }], simulated: false });
  expect(await proof()).toEqual(before);
  expect(await proof(false)).toMatchObject({ graded: 1, stamped_before_outcome: 1, unproven: 0 });
  await plant('not stamped', { stamped: null, answers: [{ observed: 60 }] });
  expect(await proof()).toMatchObject({ unproven: before.unproven + 1 });
  await plant('stamped after it', { stamped: 30, answers: [] });
  expect(await proof()).toMatchObject({ stamped_before_outcome: before.stamped_before_outcome + 1 });
});

test('is measured with the figures, and names the authority of the newest receipt', async () => {
  await refreshTrackRecord(world.db, false, new Date());
  const read = { proof: { graded: 1, stamped_before_outcome: 1, unproven: 0, overdue: 0 }, authority };
  expect(await readProof(world.db, false)).toEqual(read);
  expect(await readProof(world.db, true)).toEqual({ proof: null, authority });
});
