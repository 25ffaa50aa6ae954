import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { gradeReports } from '../../../activities/grading/grade-reports.js';
import { resolveEvents } from '../../../activities/grading/resolve-events.js';
import type { Resolution } from '../../../council/event.js';
import { type CurrentGrade, findCurrentGrade } from '../../../db/track-record/grades.js';
import { countReportsToGrade, listEventsToResolve } from '../../../db/track-record/grading-selections.js';
import { saveResolution } from '../../../db/track-record/resolutions.js';
import { createKalshiEventSource } from '../../../markets/kalshi/kalshi-event-source.js';
import { createKalshiKept } from '../../../markets/kalshi/kalshi-kept.js';
import { createGammaEventSource } from '../../../markets/polymarket/gamma-event-source.js';
import { graderVersion } from '../../../record/grades/grade.js';
import { startVenues, type Venues } from '../../../simulator/venues/start-venues.js';
import { noon, type TestWorld, useTestWorld } from '../support/test-world.js';
import { plantOutcomes, resolutionCases } from './resolution-cases.js';

const adr = readFileSync('docs/adr/0059-a-grade-follows-the-final-word.md', 'utf8');

describe.each(resolutionCases)('the table of resolutions: $title', ({ title, eventId, outcomes, steps }) => {
  const world = useTestWorld();
  const clock = { ms: noon.getTime() };
  let venues: Venues;
  beforeAll(async () => {
    venues = await startVenues({ now: () => clock.ms });
  });
  afterAll(() => venues.close());

  test('shows what the venue said, in which order, and what was graded', async () => {
    const reportId = await plantOutcomes(world, eventId, outcomes);
    const deps = { db: world.db, venues: sourcesOf(venues, clock), now: () => new Date(clock.ms), log };
    let kept: readonly unknown[] = [];
    for (const { said, act, graded } of steps) {
      clock.ms += 30 * dayMs;
      await act({
        ...venues.control,
        setPrices: (marketId, resolution) => closeByPrices(world, eventId, marketId, resolution),
      });
      if (!said.startsWith('final prices'))
        expect((await resolveEvents(deps, [eventId])).failures).toEqual([]);
      expect((await gradeReports(deps, [reportId])).failures).toEqual([]);
      const grades = await gradesOf(world, reportId);
      const grade = await findCurrentGrade(world.db, reportId);
      expect([said, describeGrade(grade, grades.length)]).toEqual([said, graded]);
      expect(grades.slice(0, kept.length)).toEqual(kept);
      expect(adr).toContain(`| ${title} | ${said} | ${graded} |`);
      kept = grades;
    }
    clock.ms += 30 * dayMs;
    expect(await countReportsToGrade(world.db, { kind: 'due' }, graderVersion)).toBe(0);
    expect(await listEventsToResolve(world.db, { kind: 'due' }, page(clock.ms))).toEqual([]);
  });
});

test('the decision shows as many rows as the tests have steps', () => {
  const rows = adr.split('\n').filter(line => / grades? \|$/.test(line) || line.endsWith('| no grade |'));
  expect(rows).toHaveLength(resolutionCases.flatMap(({ steps }) => steps).length);
});

const dayMs = 24 * 3_600_000;
const log = { warn: () => undefined, error: () => undefined };

const page = (ms: number) => ({
  venues: ['polymarket', 'kalshi', 'sample'] as const,
  after: null,
  limit: 100,
  now: new Date(ms),
});

/** Kalshi's simulator refuses requests of the same moment. */
function sourcesOf(venues: Venues, clock: { ms: number }) {
  const fetchLater: typeof fetch = (input, init) => {
    clock.ms += 1_000;
    return fetch(input, init);
  };
  const { gammaUrl, dataUrl, kalshiUrl } = venues;
  const http = { fetch: fetchLater, timeoutMs: 2_000 };
  return new Map([
    ['polymarket' as const, createGammaEventSource({ ...http, baseUrl: gammaUrl, dataUrl })],
    [
      'kalshi' as const,
      createKalshiEventSource({
        ...http,
        baseUrl: kalshiUrl,
        index: { search: async () => ({ tickers: [], total: 0 }) },
        kept: createKalshiKept(() => new Date(clock.ms)),
      }),
    ],
  ]);
}

/** As release 1.0.0 did, which stored no words. */
async function closeByPrices(
  { db }: TestWorld,
  eventId: string,
  marketId: string,
  resolution: Resolution,
): Promise<void> {
  const outcomes = { [marketId]: resolution };
  await saveResolution(db, { eventId, outcomes, words: null, evidence: {}, now: noon });
}

function gradesOf(world: TestWorld, reportId: number): Promise<unknown[]> {
  return world.sql('select * from grades where report_id = $1 order by id', [reportId]);
}

/** Who decided what, in a few words. */
function describeGrade(grade: CurrentGrade | null, count: number): string {
  if (grade === null) return 'no grade';
  const { words } = grade.resolution;
  const spoken = Object.values(words ?? {}).filter(({ decidedBy }) => decidedBy !== null);
  const by = words === null ? 'prices' : [...new Set(spoken.map(({ decidedBy }) => decidedBy))].join(' and ');
  const paid = spoken.find(({ settlementValue }) => settlementValue !== 0 && settlementValue !== 1);
  return [
    resultOf(grade),
    paid === undefined ? '' : `, paid ${paid.settlementValue}`,
    by === '' ? '' : `, by ${by}`,
    spoken.some(({ wasDisputed }) => wasDisputed) ? ', once disputed' : '',
    grade.corrected ? ', corrected' : '',
    `; ${count} grade${count === 1 ? '' : 's'}`,
  ].join('');
}

function resultOf({ state, scores }: CurrentGrade): string {
  if (scores === null) return state;
  const isPartial = scores.outcomes.some(({ open }) => open);
  const happened = scores.outcomes.filter(outcome => outcome.happened === 1).map(({ name }) => name);
  const open = scores.outcomes.filter(outcome => outcome.open).map(({ name }) => name);
  return `${happened.join(' and ') || 'none'}${isPartial ? ` (open: ${open.join(', ')})` : ''}`;
}
