import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { gradeReports } from '../../../activities/grading/grade-reports.js';
import { resolveEvents } from '../../../activities/grading/resolve-events.js';
import { findCurrentGrade } from '../../../db/track-record/grades.js';
import { listEventsToResolve } from '../../../db/track-record/grading-selections.js';
import { saveResolution } from '../../../db/track-record/resolutions.js';
import { createGammaEventSource } from '../../../markets/polymarket/gamma-event-source.js';
import type { PolymarketStep } from '../../../simulator/venues/polymarket-state.js';
import { startVenues } from '../../../simulator/venues/start-venues.js';
import { outcome, twoSided } from '../../record/grade-fixtures.js';
import { plantReports } from '../../support/record/plant-record.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const venues = await startVenues({ now: () => noon.getTime() });
afterAll(() => venues.close());
const polymarket = createGammaEventSource({
  fetch,
  timeoutMs: 2_000,
  baseUrl: venues.gammaUrl,
  dataUrl: venues.dataUrl,
});

let now = noon;
beforeEach(() => {
  now = noon;
});

describe('the table of resolutions: what the venue said, in which order, and what was graded', () => {
  test.each<[title: string, eventId: string, marketId: string, rows: readonly Row[]]>([
    [
      'an answer that is not contested',
      '910003',
      '910301',
      [
        ['proposed', 1, 'no grade'],
        ['resolved', 1, 'Yes by uma; 1 grade'],
        ['resolved', 1, 'Yes by uma; 1 grade'],
      ],
    ],
    [
      'an answer that is disputed, and another one that is final',
      '910002',
      '910201',
      [
        ['proposed', 1, 'no grade'],
        ['disputed', 1, 'disputed; 1 grade'],
        ['reproposed', 0, 'disputed; 1 grade'],
        ['resolved', 0, 'No by uma, once disputed; 2 grades'],
      ],
    ],
  ])('%s', async (_, eventId, marketId, rows) => {
    const reportId = await plantOn(eventId, marketId);
    for (const [status, price, graded] of rows) {
      venues.control.movePolymarket(marketId, { status, price });
      await gradeOnce(eventId, reportId);
      expect([status, await gradeOf(reportId, marketId)]).toEqual([status, graded]);
    }
  });

  test('closing prices of an earlier release, and the opposite as the final word', async () => {
    const [eventId, marketId] = ['910001', '910101'];
    const reportId = await plantOn(eventId, marketId);
    await gradeByPrices(eventId, marketId, reportId);
    expect(await gradeOf(reportId, marketId)).toBe('Yes by prices; 1 grade');

    now = later({ hours: 24 * 30 });
    expect(await due()).toContain(eventId);
    venues.control.movePolymarket(marketId, { status: 'proposed', price: 0 });
    await gradeOnce(eventId, reportId);
    expect(await gradeOf(reportId, marketId)).toBe('Yes by prices; 1 grade');

    venues.control.movePolymarket(marketId, { status: 'resolved', price: 0 });
    await gradeOnce(eventId, reportId);
    expect(await gradeOf(reportId, marketId)).toBe('No by uma, corrected; 2 grades');
    now = later({ hours: 24 * 60 });
    expect(await due()).not.toContain(eventId);
  });
});

type Row = [PolymarketStep['status'], PolymarketStep['price'], graded: string];

async function plantOn(eventId: string, marketId: string): Promise<number> {
  const yes = { ...outcome('Rain', 70, 55), market_id: marketId, name: 'Yes' };
  const no = { ...outcome('Rain', 30, 45), market_id: marketId, name: 'No', side: 'no' as const };
  const [report] = await plantReports(world, [
    twoSided(70, 55, {}, { event_id: eventId, outcomes: [yes, no] }),
  ]);
  return report?.report_id ?? 0;
}

/** What a batch does with one event. */
async function gradeOnce(eventId: string, reportId: number): Promise<void> {
  const deps = { db: world.db, venues: new Map([['polymarket', polymarket] as const]), now: () => now, log };
  expect((await resolveEvents(deps, [eventId])).failures).toEqual([]);
  expect((await gradeReports(deps, [reportId])).failures).toEqual([]);
}

const log = { warn: () => undefined, error: () => undefined };

/** As release 1.0.0 did, which stored no words. */
async function gradeByPrices(eventId: string, marketId: string, reportId: number): Promise<void> {
  const outcomes = { [marketId]: 'yes' as const };
  await saveResolution(world.db, { eventId, outcomes, words: null, evidence: {}, now });
  await gradeReports({ db: world.db, now: () => now, log }, [reportId]);
}

const due = () =>
  listEventsToResolve(
    world.db,
    { kind: 'due' },
    { venues: ['polymarket', 'sample'], after: null, limit: 100, now },
  );

/** Who decided what, in a few words. */
async function gradeOf(reportId: number, marketId: string): Promise<string> {
  const grade = await findCurrentGrade(world.db, reportId);
  if (grade === null) return 'no grade';
  const [{ n }] = await world.sql('select count(*)::int as n from grades where report_id = $1', [reportId]);
  const grades = `${n} grade${n === 1 ? '' : 's'}`;
  if (grade.state !== 'graded') return `${grade.state}; ${grades}`;
  const word = grade.resolution.words?.[marketId];
  const happened = grade.scores?.outcomes.find(each => each.happened === 1)?.name;
  const by = grade.resolution.words === null ? 'prices' : word?.decidedBy;
  const disputed = word?.wasDisputed ? ', once disputed' : '';
  return `${happened} by ${by}${disputed}${grade.corrected ? ', corrected' : ''}; ${grades}`;
}
