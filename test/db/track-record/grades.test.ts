import { describe, expect, test } from '@jest/globals';
import type { Resolution } from '../../../council/event.js';
import type { FinalWord, FinalWords } from '../../../council/market/final-word.js';
import {
  findCurrentGrade,
  type NewGrade,
  readGradableReports,
  saveGrade,
} from '../../../db/track-record/grades.js';
import { newestResolution, saveResolution } from '../../../db/track-record/resolutions.js';
import { gradeForecast } from '../../../record/grades/grade.js';
import type { MarketOutcomes } from '../../../record/recorded-forecast.js';
import { forecast, outcome, resolved, twoSided } from '../../record/grade-fixtures.js';
import { plantReports } from '../../support/record/plant-record.js';
import { noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
let events = 0;

async function planted() {
  const forecast = twoSided(70, 55, { claude: 75, gpt: 65 }, { event_id: `event-${++events}` });
  const [report] = await plantReports(world, [forecast]);
  if (report === undefined) throw new Error('no report was planted');
  return report;
}

type Planted = Awaited<ReturnType<typeof planted>>;

/** The market resolves the report's event. @returns the id of the newest resolution. */
async function resolve({ event_id: eventId }: Planted, resolution: Resolution): Promise<number> {
  const outcomes = { 'm-Rain': resolution };
  await saveResolution(world.db, { eventId, outcomes, words: null, evidence: {}, now: noon });
  return (await newestResolution(world.db, eventId))?.id ?? 0;
}

async function grade(
  report: Planted,
  resolutionId: number,
  resolution: Resolution,
  more: Partial<NewGrade> = {},
) {
  const graded = gradeForecast(report, { 'm-Rain': resolution });
  if (graded === 'pending') throw new Error('there is no grade to store');
  return saveGrade(world.db, {
    reportId: report.report_id,
    resolutionId,
    grader: 'grader/1',
    now: noon,
    ...graded,
    ...more,
  });
}

const newest = (report: Planted) => findCurrentGrade(world.db, report.report_id);

describe('a grade', () => {
  test('is null before the first grading, and stored once under concurrent attempts', async () => {
    const report = await planted();
    expect(await newest(report)).toBeNull();
    const id = await resolve(report, 'yes');
    const stored = await Promise.all(Array.from({ length: 20 }, () => grade(report, id, 'yes')));
    expect(stored.filter(Boolean)).toHaveLength(1);
    expect(await newest(report)).toEqual({
      state: 'graded',
      openMarkets: 0,
      grader: 'grader/1',
      gradedAt: noon,
      corrected: false,
      scores: expect.objectContaining({ outcomes: expect.any(Array), council: expect.any(Object) }),
      resolution: { id, observedAt: noon, outcomes: { 'm-Rain': 'yes' }, words: null },
    });
  });

  test('under a newer resolution is current, even if one under an older resolution arrives later', async () => {
    const report = await planted();
    const [first, second] = [await resolve(report, 'yes'), await resolve(report, 'no')];
    await grade(report, second, 'no');
    await grade(report, first, 'yes');
    expect(await newest(report)).toMatchObject({ resolution: { id: second }, corrected: true });
  });

  test('of a newer grader is current, and not a correction if the result is the same', async () => {
    const report = await planted();
    const id = await resolve(report, 'yes');
    await grade(report, id, 'yes');
    await grade(report, id, 'yes', { grader: 'grader/2' });
    expect(await newest(report)).toMatchObject({ grader: 'grader/2', corrected: false });
  });

  test('of further markets of an independent event is not a correction; another result of one is', async () => {
    const outcomes = [outcome('A', 60, 50), outcome('B', 30, 40)];
    const [report] = await plantReports(world, [
      forecast(outcomes, { event_id: `event-${++events}`, exclusive: false }),
    ]);
    if (report === undefined) throw new Error('no report was planted');
    const gradeAs = async (resolutions: MarketOutcomes) => {
      await saveResolution(world.db, {
        eventId: report.event_id,
        outcomes: resolutions,
        words: null,
        evidence: {},
        now: noon,
      });
      const resolutionId = (await newestResolution(world.db, report.event_id))?.id ?? 0;
      const made = gradeForecast(report, resolutions);
      if (made === 'pending') throw new Error('there is no grade to store');
      await saveGrade(world.db, {
        reportId: report.report_id,
        resolutionId,
        grader: 'grader/2',
        now: noon,
        ...made,
      });
      return newest(report);
    };
    expect(await gradeAs(resolved({ A: 'yes', B: 'unresolved' }))).toMatchObject({
      openMarkets: 1,
      corrected: false,
    });
    expect(await gradeAs(resolved({ A: 'yes', B: 'disputed' }))).toMatchObject({
      openMarkets: 1,
      corrected: false,
    });
    expect(await gradeAs(resolved({ A: 'yes', B: 'no' }))).toMatchObject({
      openMarkets: 0,
      corrected: false,
    });
    expect(await gradeAs(resolved({ A: 'no', B: 'no' }))).toMatchObject({ openMarkets: 0, corrected: true });
  });

  test('after a dispute is not a correction; a dispute after a grade is', async () => {
    const report = await planted();
    await grade(report, await resolve(report, 'disputed'), 'disputed');
    await grade(report, await resolve(report, 'yes'), 'yes');
    expect(await newest(report)).toMatchObject({ state: 'graded', corrected: false });
    await grade(report, await resolve(report, 'disputed'), 'disputed');
    expect(await newest(report)).toMatchObject({ state: 'disputed', scores: null, corrected: true });
  });
});

test('a report to grade comes with its record entry and the newest resolution', async () => {
  const [unknown, known] = [await planted(), await planted()];
  await resolve(known, 'yes');
  const id = await resolve(known, 'no');
  expect(await readGradableReports(world.db, [known.report_id, unknown.report_id, 999_999])).toEqual([
    { reportId: unknown.report_id, payload: JSON.stringify(unknown), resolutionId: null, outcomes: null },
    {
      reportId: known.report_id,
      payload: JSON.stringify(known),
      resolutionId: id,
      outcomes: { 'm-Rain': 'no' },
    },
  ]);
  expect(await readGradableReports(world.db, [])).toEqual([]);
});

let eventId: string;

const observe = (outcomes: MarketOutcomes, now = noon) =>
  saveResolution(world.db, { eventId, outcomes, words: null, evidence: { observed: outcomes }, now });

const rows = () =>
  world.sql('select outcomes, evidence from resolutions where event_id = $1 order by id', [eventId]);

describe('a resolution', () => {
  test('is not stored while no market is resolved', async () => {
    eventId = await world.openEvent();
    expect(await observe({ a: 'unresolved', b: 'unresolved' })).toBe(false);
    expect(await newestResolution(world.db, eventId)).toBeNull();
  });

  test('is stored with its evidence, and only if it changed', async () => {
    eventId = await world.openEvent();
    expect(await observe({ a: 'unresolved', b: 'no' })).toBe(true);
    expect(await observe({ b: 'no', a: 'unresolved' })).toBe(false);
    expect(await observe({ a: 'yes', b: 'no' })).toBe(true);
    expect(await rows()).toEqual([
      { outcomes: { a: 'unresolved', b: 'no' }, evidence: { observed: { a: 'unresolved', b: 'no' } } },
      { outcomes: { a: 'yes', b: 'no' }, evidence: { observed: { a: 'yes', b: 'no' } } },
    ]);
    expect(await newestResolution(world.db, eventId)).toEqual({
      id: expect.any(Number),
      observedAt: noon,
      outcomes: { a: 'yes', b: 'no' },
      words: null,
    });
  });

  test('is stored again when it reverts to an earlier one; the newest counts', async () => {
    eventId = await world.openEvent();
    for (const resolution of ['yes', 'disputed', 'yes'] as const)
      expect(await observe({ a: resolution })).toBe(true);
    expect(await observe({ a: 'unresolved' })).toBe(true);
    expect((await rows()).map(row => row.outcomes.a)).toEqual(['yes', 'disputed', 'yes', 'unresolved']);
  });

  test('is stored once under forty concurrent observers', async () => {
    eventId = await world.openEvent();
    const stored = await Promise.all(Array.from({ length: 40 }, () => observe({ a: 'yes' })));
    expect(stored.filter(Boolean)).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
  });
});

test.each([
  `update grades set state = 'void', scores = null`,
  'delete from grades',
  'truncate grades',
  `update resolutions set outcomes = '{}'`,
  'delete from resolutions',
  'truncate resolutions cascade',
])('grades and resolutions are never changed or removed: %s', async statement => {
  await expect(world.sql(statement)).rejects.toThrow('keeps its rows');
});

test('a resolution is stored again when somebody else decided it, but not for a word that is not final', async () => {
  eventId = await world.openEvent();
  const by = (decidedBy: 'uma' | 'operator', more: Partial<FinalWord> = {}) =>
    saveResolution(world.db, {
      eventId,
      outcomes: { a: 'yes', b: 'unresolved' },
      words: { a: { ...word, decidedBy }, b: { ...word, resolution: 'unresolved', ...more } },
      evidence: {},
      now: noon,
    });
  expect(await by('uma')).toBe(true);
  expect(await by('uma', { status: 'proposed', wasDisputed: true })).toBe(false);
  expect(await by('operator')).toBe(true);
});

test('a dispute that was read once is remembered where the venue has forgotten it', async () => {
  eventId = await world.openEvent();
  const read = (resolution: FinalWord['resolution'], wasDisputed = false) =>
    saveResolution(world.db, {
      eventId,
      outcomes: { a: resolution, b: 'no' },
      words: { a: { ...word, resolution, wasDisputed }, b: { ...word, resolution: 'no' } },
      evidence: {},
      now: noon,
    });
  for (const [resolution, wasDisputed] of [['disputed', true], ['unresolved'], ['yes']] as const) {
    expect(await read(resolution, wasDisputed)).toBe(true);
  }
  expect((await newestResolution(world.db, eventId))?.words).toMatchObject({
    a: { resolution: 'yes', wasDisputed: true },
    b: { resolution: 'no', wasDisputed: false },
  });
  expect(await read('yes')).toBe(false);
});

describe('an answer that leaves out a market', () => {
  const none = { outcomes: { a: 'unresolved', b: 'unresolved' }, words: {} } as const;
  const save = (read: { outcomes: MarketOutcomes; words: FinalWords | null }) =>
    saveResolution(world.db, { eventId, ...read, evidence: {}, now: noon });

  test('takes no final word back, and adds no resolution', async () => {
    const { event_id } = await planted();
    eventId = event_id;
    const first = {
      outcomes: { a: 'yes', b: 'unresolved' },
      words: { a: { ...word, wasDisputed: true }, b: { ...word, resolution: 'unresolved' } },
    } as const;
    expect(await save(first)).toBe(true);
    expect(await save(none)).toBe(false);
    expect(await save({ outcomes: {}, words: {} })).toBe(false);
    expect(await newestResolution(world.db, eventId)).toMatchObject(first);
  });

  test('keeps what was said of it when another market is final, and a dispute', async () => {
    eventId = await world.openEvent();
    const no: FinalWord = { ...word, resolution: 'no', settlementValue: 0 };
    const disputed: FinalWord = { ...word, resolution: 'disputed' };
    await save({ outcomes: { a: 'yes', b: 'disputed' }, words: { a: word, b: disputed } });
    expect(await save(none)).toBe(false);
    expect(await save({ outcomes: { a: 'unresolved', b: 'no' }, words: { b: no } })).toBe(true);
    expect(await newestResolution(world.db, eventId)).toMatchObject({
      outcomes: { a: 'yes', b: 'no' },
      words: { a: word, b: { ...no, wasDisputed: true } },
    });
  });

  test('does not hinder the venue from taking a word back', async () => {
    eventId = await world.openEvent();
    await save({ outcomes: { a: 'yes' }, words: { a: word } });
    const open: FinalWord = { ...word, resolution: 'unresolved', status: 'proposed' };
    expect(await save({ outcomes: { a: 'unresolved' }, words: { a: open } })).toBe(true);
  });
});

const word: FinalWord = {
  resolution: 'yes',
  status: 'resolved',
  finalAt: null,
  decidedBy: 'uma',
  wasDisputed: false,
  settlementValue: 1,
  rulesUpdated: false,
  transactionHash: null,
};
