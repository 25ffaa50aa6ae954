import { expect, test } from '@jest/globals';
import { gradeReports } from '../../../activities/grading/grade-reports.js';
import { resolveEvents } from '../../../activities/grading/resolve-events.js';
import type { Resolution } from '../../../council/event.js';
import { findCurrentGrade } from '../../../db/track-record/grades.js';
import { countReportsToGrade, listEventsToResolve } from '../../../db/track-record/grading-selections.js';
import { readCurrentGrades } from '../../../db/track-record/track-record.js';
import { wordsOf } from '../../../markets/sample/sample-words.js';
import { graderVersion } from '../../../record/grades/grade.js';
import { scoreOf } from '../../../record/grades/grade-scores.js';
import { event, market } from '../../council/fixtures.js';
import { bet, forecast, outcome } from '../../record/grade-fixtures.js';
import { plantReports } from '../../support/record/plant-record.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const due = { kind: 'due' } as const;
const log = { warn: () => undefined, error: () => undefined };

test('each market of an independent event is graded when it is final, and scored with those that are', async () => {
  const [report] = await plantReports(world, [
    forecast([outcome('A', 60, 50), outcome('B', 30, 40), outcome('C', 80, 70)], {
      event_id: 'in-parts',
      exclusive: false,
      bets: [bet('A'), bet('B')],
    }),
  ]);
  const reportId = report?.report_id ?? 0;
  const read = async (now: Date, ...resolutions: Resolution[]) => {
    const ended = eventOf(resolutions);
    const readEnding = async () => ({ event: ended, words: wordsOf(ended, 'sample') });
    const deps = {
      db: world.db,
      venues: new Map([['sample', { readEnding }] as const]),
      now: () => now,
      log,
    };
    await resolveEvents(deps, ['in-parts']);
    const { graded } = await gradeReports(deps, [reportId]);
    const grade = await findCurrentGrade(world.db, reportId);
    const scores = grade?.scores ?? null;
    const bets = scores?.bets.map(({ won, open = false }) => (open ? 'open' : won));
    return { graded, open: grade?.openMarkets, council: scores?.council, market: scores?.market, bets };
  };
  const scored = (council: number[], prices: number[], happened: (0 | 1)[]) => ({
    council: scoreOf(council, happened, false),
    market: scoreOf(prices, happened, false),
  });

  const none = await read(noon, 'unresolved', 'unresolved', 'unresolved');
  expect(none).toMatchObject({ graded: 0, open: undefined });
  expect(await read(noon, 'yes', 'unresolved', 'disputed')).toEqual({
    graded: 1,
    open: 2,
    ...scored([0.6], [0.5], [1]),
    bets: [true, 'open'],
  });
  expect(await listEventsToResolve(world.db, due, page(later({ hours: 24 * 90 })))).toEqual(['in-parts']);

  expect(await read(noon, 'yes', 'void', 'disputed')).toEqual({
    graded: 1,
    open: 1,
    ...scored([0.6], [0.5], [1]),
    bets: [true, null],
  });
  const last = {
    open: 0,
    ...scored([0.6, 0.8], [0.5, 0.7], [1, 0]),
    bets: [true, null],
  };
  expect(await read(noon, 'yes', 'void', 'no')).toEqual({ graded: 1, ...last });
  expect(await read(noon, 'yes', 'void', 'no')).toEqual({ graded: 0, ...last });
  expect(await countReportsToGrade(world.db, due, graderVersion)).toBe(0);
  expect(await listEventsToResolve(world.db, due, page(later({ hours: 24 * 90 })))).toEqual([]);

  const rows = await world.sql('select open_markets, scores from grades where report_id = $1 order by id', [
    reportId,
  ]);
  expect(rows.map(row => row.open_markets)).toEqual([2, 1, 0]);
  expect(rows[0].scores.council).toEqual(scored([0.6], [0.5], [1]).council);
  const current = await readCurrentGrades(world.db, true, { after: 0, limit: 10 });
  expect(current.map(({ scores }) => scores?.council)).toEqual([last.council]);
});

const page = (now: Date) => ({ venues: ['sample'] as const, after: null, limit: 10, now });

function eventOf(resolutions: readonly Resolution[]) {
  const markets = resolutions.map((resolution, index) => {
    const name = ['A', 'B', 'C'][index] ?? '';
    const status = resolution === 'unresolved' ? 'open' : 'closed';
    return market({ name, marketId: `m-${name}`, status, resolution });
  });
  return event(markets, { eventId: 'in-parts', exclusive: false });
}
