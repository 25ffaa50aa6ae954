import { beforeAll, describe, expect, test } from '@jest/globals';
import { saveGrade } from '../../../db/track-record/grades.js';
import {
  countReportsToGrade,
  listEventsToResolve,
  listReportsToGrade,
} from '../../../db/track-record/grading-selections.js';
import { newestResolution, saveResolution } from '../../../db/track-record/resolutions.js';
import type { GradeState } from '../../../record/grades/grade.js';
import type { GradingSelection } from '../../../record/grades/grading.js';
import { twoSided } from '../../record/grade-fixtures.js';
import { plantReports } from '../../support/record/plant-record.js';
import { noon, useTestWorld } from '../support/test-world.js';

const dayMs = 24 * 3_600_000;
const due: GradingSelection = { kind: 'due' };
const world = useTestWorld();

const plant = async (event_id: string) => {
  const [report] = await plantReports(world, [twoSided(70, 55, { claude: 75 }, { event_id })]);
  return report?.report_id ?? 0;
};

async function resolve(eventId: string, resolution: 'yes' | 'no' | 'unresolved'): Promise<number> {
  await saveResolution(world.db, {
    eventId,
    outcomes: { 'm-Rain': resolution },
    words: {},
    evidence: {},
    now: noon,
  });
  return (await newestResolution(world.db, eventId))?.id ?? 0;
}

const keep = (reportId: number, resolutionId: number, state: GradeState = 'void', openMarkets = 0) =>
  saveGrade(world.db, { reportId, resolutionId, grader: 'g1', state, scores: null, openMarkets, now: noon });

const reports = (
  selection: GradingSelection,
  page: { after?: number; limit?: number; grader?: string } = {},
) => listReportsToGrade(world.db, selection, { after: 0, limit: 100, grader: 'g1', ...page });

const events = (
  selection: GradingSelection,
  page: { after?: string | null; limit?: number; now?: Date } = {},
) =>
  listEventsToResolve(world.db, selection, {
    venues: ['sample'],
    after: null,
    limit: 100,
    now: noon,
    ...page,
  });

describe('a selection', () => {
  const ids: Record<string, number[]> = {};

  beforeAll(async () => {
    for (const event of ['a', 'b', 'c']) ids[event] = [await plant(event), await plant(event)];
  });
  const of = (...names: string[]) => names.flatMap(name => ids[name] ?? []);

  test('of due reports looks up unresolved events but grades nothing of them', async () => {
    expect(await reports(due)).toEqual([]);
    expect(await events(due)).toEqual(['a', 'b', 'c']);
  });

  test('of due reports contains those this grader has not graded under the newest resolution', async () => {
    const first = await resolve('b', 'yes');
    expect(await reports(due)).toEqual(of('b'));
    await keep(of('b')[0] ?? 0, first);
    expect(await reports(due)).toEqual(of('b').slice(1));
    await keep(of('b')[1] ?? 0, first);
    expect(await reports(due)).toEqual([]);
    expect(await reports(due, { grader: 'g2' })).toEqual(of('b'));
    await resolve('b', 'no');
    expect(await reports(due)).toEqual(of('b'));
    expect(await countReportsToGrade(world.db, due, 'g1')).toBe(2);
  });

  test('of due events includes graded ones for a week, and disputed ones until settled', async () => {
    const later = (days: number) => ({ now: new Date(noon.getTime() + days * dayMs) });
    expect(await events(due, later(6))).toContain('b');
    expect(await events(due, later(8))).toEqual(['a', 'c']);
    const id = await resolve('c', 'yes');
    for (const report of of('c')) await keep(report, id, 'disputed');
    expect(await events(due, later(8))).toEqual(['a', 'c']);
  });

  test('of an event contains all its reports, graded or not', async () => {
    expect(await reports({ kind: 'event', eventId: 'b' })).toEqual(of('b'));
    expect(await events({ kind: 'event', eventId: 'b' })).toEqual(['b']);
    expect(await events({ kind: 'event', eventId: 'nowhere' })).toEqual([]);
  });

  test('since a day contains reports completed on it or later', async () => {
    const today = new Date().toISOString().slice(0, 10);
    expect(await reports({ kind: 'since', date: '2020-01-01' })).toEqual(of('a', 'b', 'c'));
    expect(await reports({ kind: 'since', date: today })).toHaveLength(6);
    expect(await reports({ kind: 'since', date: '2999-01-01' })).toEqual([]);
    expect(await events({ kind: 'since', date: '2999-01-01' })).toEqual([]);
  });

  test('of all reports contains the whole record, in contiguous pages', async () => {
    const all: GradingSelection = { kind: 'all', grader: 'g1' };
    const first = await reports(all, { limit: 4 });
    const rest = await reports(all, { limit: 4, after: first.at(-1) ?? 0 });
    expect([...first, ...rest]).toEqual(of('a', 'b', 'c'));
    expect(await countReportsToGrade(world.db, all, 'g1')).toBe(6);
    expect(await events(all, { limit: 2 })).toEqual(['a', 'b']);
    expect(await events(all, { limit: 2, after: 'b' })).toEqual(['c']);
  });

  test('of due events includes those with an open market, until all of its markets are final', async () => {
    const later = { now: new Date(noon.getTime() + 400 * dayMs) };
    const report = await plant('part');
    await keep(report, await resolve('part', 'yes'), 'void', 1);
    expect(await events(due, later)).toContain('part');
    await keep(report, await resolve('part', 'no'));
    expect(await events(due, later)).not.toContain('part');
  });

  test('of due events includes those whose result the venue took back, until it gives the next one', async () => {
    const later = { now: new Date(noon.getTime() + 400 * dayMs) };
    const report = await plant('amended');
    await keep(report, await resolve('amended', 'yes'));
    expect(await events(due, later)).not.toContain('amended');
    await resolve('amended', 'unresolved');
    expect(await events(due, later)).toContain('amended');
    await keep(report, await resolve('amended', 'no'));
    expect(await events(due, later)).not.toContain('amended');
  });

  test('excludes events of other sources and reports whose entry is not sealed', async () => {
    await world.sql(`update events set source = 'polymarket' where event_id = 'a'`);
    expect(await events(due)).not.toContain('a');
    await world.sql(
      `with completed as (
       insert into reports (account_id, event_id, event_title, utc_day, workflow_id, lane, simulated, status, seed,
         event, queried_market, prices_at, conclusion, dropouts, created_at, ended_at)
       select account_id, event_id, event_title, '2031-03-05', workflow_id, lane, simulated, status, seed,
         event, queried_market, prices_at, conclusion, dropouts, created_at, ended_at from reports limit 1 returning id)
       insert into unsealed_entries (report_id, kind, payload) select id, 'completed', '{}' from completed`,
    );
    expect(await reports({ kind: 'all', grader: 'g1' })).toHaveLength(8);
  });
});
