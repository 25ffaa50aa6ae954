import { afterAll, describe, expect, test } from '@jest/globals';
import { gradeFolder, jsonLines as lines } from './grade-files.js';

const { write, typed, graded, remove } = gradeFolder();
afterAll(remove);

describe('sets of ForecastBench', () => {
  const due = { forecast_due_date: '2031-03-05', question_set: '2031-03-05-llm.json' };
  const questions = {
    ...due,
    questions: [
      {
        id: 'm1',
        source: 'polymarket',
        question: 'Rain?',
        freeze_datetime: '2031-02-23',
        freeze_datetime_value: '0.6',
      },
      {
        id: 'SYN',
        source: 'fred',
        question: 'Up?',
        freeze_datetime_value: '0.5',
        resolution_dates: ['2031-03-12'],
      },
    ],
  };
  const set = (model: string, p: number) => ({
    ...due,
    organization: 'Lab',
    model,
    forecasts: [
      { id: 'm1', source: 'polymarket', forecast: p, resolution_date: null, reasoning: '' },
      { id: 'SYN', source: 'fred', forecast: p, resolution_date: '2031-03-12', reasoning: '' },
      {
        id: ['m1', 'm2'],
        source: 'polymarket',
        direction: [1, -1],
        forecast: p,
        resolution_date: null,
        reasoning: '',
      },
      { id: 'm3', source: 'polymarket', forecast: p, resolution_date: null, reasoning: '' },
    ],
  });
  const resolutions = {
    ...due,
    resolutions: [
      {
        id: 'm1',
        source: 'polymarket',
        direction: null,
        resolution_date: '2031-03-12',
        resolved_to: 0.4,
        resolved: false,
      },
      {
        id: 'm1',
        source: 'polymarket',
        direction: null,
        resolution_date: '2031-04-04',
        resolved_to: 1,
        resolved: true,
      },
      {
        id: 'SYN',
        source: 'fred',
        direction: null,
        resolution_date: '2031-03-12',
        resolved_to: 0,
        resolved: true,
      },
      {
        id: ['m1', 'm2'],
        source: 'polymarket',
        direction: [1, -1],
        resolution_date: '2031-04-04',
        resolved_to: 1,
        resolved: true,
      },
      {
        id: 'm3',
        source: 'polymarket',
        direction: null,
        resolution_date: '2031-04-04',
        resolved_to: 0.25,
        resolved: true,
      },
    ],
  };

  test('are joined: each forecast set is a member, and the freeze value of a market its price', async () => {
    const files = [
      write('questions.json', questions),
      write('one.json', set('one', 0.8)),
      write('two.json', set('two', 0.6)),
      write('resolutions.json', resolutions),
    ];
    const document = await graded(...files);
    expect(document).toMatchObject({
      format: 'forecastbench',
      rows: { read: 4, graded: 3, void: 1 },
      figures: {
        council: { n: 3 },
        market: { n: 1, brier_binary_0_to_1: { mean: expect.closeTo(0.16, 12) } },
        members: {
          'Lab: one': { n: 3, brier_binary_0_to_1: { mean: expect.closeTo((0.04 + 0.64 + 0.04) / 3, 12) } },
        },
        without: { 'Lab: one': { n: 3 }, 'Lab: two': { n: 3 } },
      },
    });
    expect(await graded(...files, '--scalar', 'in')).toMatchObject({
      rows: { graded: 4 },
      figures: {
        members: {
          'Lab: one': { brier_binary_0_to_1: { mean: expect.closeTo((0.72 + 0.55 ** 2) / 4, 12) } },
        },
      },
    });
  });

  test('need forecasts and resolutions', async () => {
    expect(await typed(write('questions.json', questions))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/questions\.json, needs a forecast set and a resolution set/),
    });
  });

  test('name the line and the field of a mistake in a document', async () => {
    const wrong = structuredClone(resolutions);
    Object.assign(wrong.resolutions[2] ?? {}, { resolved_to: 3 });
    expect(await typed(write('one.json', set('one', 0.8)), write('wrong.json', wrong))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/wrong\.json, line 26, field resolutions\.2\.resolved_to: /),
    });
  });
});

describe('events and cells of Prophet Arena', () => {
  const cell = (agent: string, window: number, Red: number) => ({
    agent,
    event: 'race',
    window,
    probabilities: { Red, Blue: 1 - Red },
    resolutions: { Red: 'yes', Blue: 'no' },
    crowd: { Red: 0.5, Blue: 0.5 },
    category: 'Sports',
  });
  const cells = lines([cell('ada', 1, 0.9), cell('bela', 1, 0.7), cell('ada', 2, 0.8)]);
  const event = {
    slug: 'race',
    title: 'Who wins?',
    mutually_exclusive: true,
    close_at: '2031-03-05T12:00:00Z',
    outcomes: [
      { name: 'Red', resolution: 'yes' },
      { name: 'Blue', resolution: 'no' },
    ],
    windows: [
      {
        round: 1,
        taken_at: '2031-03-03T12:00:00Z',
        closes_at: '2031-03-04T00:00:00Z',
        crowd: { Red: 0.4, Blue: 0.6 },
      },
      {
        round: 2,
        taken_at: '2031-03-05T10:00:00Z',
        closes_at: '2031-03-05T11:00:00Z',
        crowd: { Red: 0.6, Blue: 0.4 },
      },
    ],
  };

  test('each agent is a member, and each outcome a question of its own without the events', async () => {
    expect(await graded(write('cells.jsonl', cells))).toMatchObject({
      format: 'prophet-arena',
      rows: { read: 2, graded: 2 },
      events: 1,
      figures: {
        council: { n: 1 },
        market: { n: 2, brier_binary_0_to_1: { mean: 0.25 } },
        members: {
          ada: { n: 2, brier_binary_0_to_1: { mean: expect.closeTo((0.01 + 0.04) / 2, 12) } },
          bela: { n: 1 },
        },
      },
    });
  });

  test('the events give the prices of a day before the close', async () => {
    const files = [write('cells.jsonl', cells), write('events.jsonl', lines([event]))];
    expect(await graded(...files, '--baseline', 'at-close-1d')).toMatchObject({
      figures: { market: { n: 2, brier_binary_0_to_1: { mean: expect.closeTo(0.36, 12) } } },
    });
    expect(await typed(files[1] ?? '')).toMatchObject({
      code: 1,
      err: expect.stringContaining('events.jsonl, has events without forecasts'),
    });
  });

  test('cells of one window that contradict each other are refused', async () => {
    const other = { ...cell('bela', 1, 0.7), resolutions: { Red: 'no', Blue: 'yes' } };
    expect(await typed(write('cells.jsonl', lines([cell('ada', 1, 0.9), other])))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/cells\.jsonl, line 2, field resolutions\.Red: contradicts another cell/),
    });
  });
});
