import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { csv, exportedRow, gradeFolder, jsonLines as lines, rain } from './grade-files.js';

const { folder, write, typed, graded, remove } = gradeFolder();
afterAll(remove);

describe('the export of the track record', () => {
  const rows = [
    exportedRow({ report_id: 1, council: 80, market: 60 }),
    exportedRow({ report_id: 2, event_id: 'e2' }),
  ];

  test('is graded as the service graded it, from the response, JSON lines and a table', async () => {
    const response = `{"reports":[${rows.map(row => JSON.stringify(row)).join(',\n')}]}`;
    const fromResponse = await graded(write('response.json', response));
    expect(fromResponse).toMatchObject({
      format: 'track-record',
      grader: 'grader/2',
      rows: { read: 2, graded: 2 },
      events: 2,
      figures: {
        council: { n: 2, brier_binary_0_to_1: { mean: (0.04 + 0.16) / 2 } },
        members: { claude: { n: 2 }, gpt: { n: 2 } },
        error_correlation: { pairs: [{ members: ['claude', 'gpt'], n: 2 }] },
      },
      grades: [
        { id: 'report 1', event: 'e1', old: { state: 'graded' }, new: { state: 'graded' }, why: [] },
        { id: 'report 2', event: 'e2', why: [] },
      ],
    });
    for (const file of [
      write('pretty.json', { reports: rows }),
      write('rows.ndjson', lines(rows)),
      write('rows.csv', csv(rows)),
    ]) {
      expect(await graded(file)).toEqual(fromResponse);
    }
  });

  test('takes answers of one’s own instead, by the name of the outcome or the id of its market', async () => {
    const file = write('export.ndjson', lines(rows));
    const answers = write('answers.csv', 'event_id,outcome\npolymarket:e1,No\ne2,m-Rain\n');
    const { grades } = await graded(file, '--resolutions', answers);
    expect(grades).toMatchObject([
      { id: 'report 1', new: { brier_vector_0_to_2: expect.closeTo(1.28, 12) }, why: ['other_resolution'] },
      { id: 'report 2', why: [] },
    ]);
    expect(grades[0].old.brier_vector_0_to_2).toBeCloseTo(0.08, 12);
  });

  test('names the other grader, and scores that do not follow from their row', async () => {
    const wrong = { council: { brier: 0.5, log_score: 0.1, hit: 1 } };
    const { grades } = await graded(
      write(
        'others.ndjson',
        lines([
          { ...exportedRow({ report_id: 1 }), scores: wrong },
          { ...exportedRow({ report_id: 2 }), scores: wrong, grader: 'grader/1' },
        ]),
      ),
    );
    expect(grades.map(({ why }: { why: unknown }) => why)).toEqual([['other_scores'], ['other_grader']]);
  });
});

describe('the results of a batch', () => {
  const result = (event_id: string, percents: Readonly<Record<string, number>> | null) => ({
    event_id,
    venue: 'sample',
    event_title: 'Who wins?',
    report_id: percents === null ? null : Number(event_id.slice(1)),
    state: percents === null ? 'failed' : 'completed',
    council: percents,
    market: percents,
    estimate: percents,
    confidence: 50,
    degraded: false,
    conflict: false,
    record_seq: 4,
    credits: percents === null ? 0 : 100,
  });
  const results = [
    result('e1', { Yes: 70, No: 30 }),
    result('e2', { Red: 50, Green: 30, Blue: 20 }),
    result('e3', { 'Above 60': 90, 'Above 70': 40 }),
    result('e4', null),
  ];
  const answers = 'event_id,outcome,resolution\ne1,Yes,no\ne2,Green,\ne3,Above 60,yes\ne3,Above 70,0\n';

  test('are graded by a file of answers, outcomes of one event and independent markets too', async () => {
    const resolutions = write('answers.csv', answers);
    const document = await graded(write('results.ndjson', lines(results)), '--resolutions', resolutions);
    const binary = (0.49 + (0.25 + 0.49 + 0.04) / 3 + (0.01 + 0.16) / 2) / 3;
    const vector = (0.98 + 0.78 + 0.17) / 3;
    expect(document).toMatchObject({
      format: 'batch-results',
      rows: { read: 4, graded: 3, no_forecast: 1 },
      multi_outcome: 1,
      cost: { n: 4, credits: 300, credits_per_graded_row: 100 },
      grades: [],
    });
    expect(document.figures.council.brier_binary_0_to_1.mean).toBeCloseTo(binary, 12);
    expect(document.figures.council.brier_vector_0_to_2.mean).toBeCloseTo(vector, 12);
    expect(document.figures.council.against_market).toMatchObject({ n: 3, difference: 0, skill: 0 });
    expect(await graded(write('results.csv', csv(results)), '--resolutions', resolutions)).toEqual(document);
  });

  test('of an event that can grow count what they do not list as any other', async () => {
    const open = [result('e5', { Red: 50, Green: 30, 'Any other': 20 })];
    const late = write('late.csv', 'event_id,outcome\ne5,Blue\n');
    const { figures } = await graded(write('open.ndjson', lines(open)), '--resolutions', late);
    expect(figures.council.brier_vector_0_to_2.mean).toBeCloseTo(0.25 + 0.09 + 0.64, 12);
  });

  test('are pending without answers', async () => {
    expect(await graded(write('results.ndjson', lines(results)))).toMatchObject({
      rows: { graded: 0, pending: 3 },
      figures: { council: { n: 0, brier_binary_0_to_1: { mean: null } } },
    });
  });
});

describe('every format', () => {
  const table = write('table.csv', `id,outcome,market,ada,bela\n${rain}`);

  test('is refused with the file, the line and the field of the mistake', async () => {
    const row = exportedRow({ report_id: 1 });
    const cases: readonly (readonly [content: string, said: RegExp])[] = [
      ['', /bad, has no rows/],
      ['a,b\n1,2\n', /bad, has the fields a, b, which no format begins with/],
      [lines([row, { ...row, report_id: 2, state: 'late' }]), /bad, line 2, field state: /],
      [`${lines([row])}{"report_id":\n`, /bad, line 2: is not JSON/],
      [lines([row, row]), /bad, line 2: report 1 of the event e1 is in the files twice/],
      [csv([row]).replace('"[{', '"[[{'), /bad, line 2, field outcomes: must be JSON/],
      ['id,outcome,market,ada,bela\nq,2,,0.1,0.2\n', /bad, Line 2, column outcome: must be 0 or 1/],
      [
        'event_id,record_seq,council,market,credits,report_id\ne1,1,"{""Yes"":700}",,100,7\n',
        /bad, line 2, field council\.Yes: /,
      ],
    ];
    for (const [content, said] of cases) {
      expect(await typed(write('bad', content))).toMatchObject({ code: 1, err: expect.stringMatching(said) });
    }
    expect(await typed(join(folder, 'missing'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('missing cannot be read'),
    });
  });

  test('of answers too', async () => {
    const results = write('export.ndjson', lines([exportedRow({ report_id: 1 })]));
    const cases: readonly (readonly [content: string, said: RegExp])[] = [
      [
        'event_id,outcome\ne1,Maybe\n',
        /answers\.csv, line 2, field outcome: the event e1 has no outcome Maybe; it has Yes, No/,
      ],
      [
        'event_id,outcome\ne1,Yes\ne1,Yes\n',
        /answers\.csv, line 3, field outcome: Yes of the event e1 stands in the file twice/,
      ],
      [
        'event_id,outcome,resolution\ne1,Yes,perhaps\n',
        /answers\.csv, line 2, field resolution: must be yes, no/,
      ],
    ];
    for (const [content, said] of cases) {
      const answers = write('answers.csv', content);
      expect(await typed(results, '--resolutions', answers)).toMatchObject({
        code: 1,
        err: expect.stringMatching(said),
      });
    }
  });

  test('is recognised by its content, and files of two formats are not mixed', async () => {
    expect(await graded(table)).toMatchObject({ format: 'evaluate', rows: { graded: 2 } });
    const results = write('export.ndjson', lines([exportedRow({ report_id: 1 })]));
    expect(await typed(table, results)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /export\.ndjson, is a file of track-record, and .*table\.csv one of evaluate/,
      ),
    });
    expect(await typed(table, '--format', 'batch-results')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/table\.csv, line 2, field event_id: /),
    });
  });

  test('is only read', async () => {
    const before = readdirSync(folder);
    await graded(table);
    expect(readdirSync(folder)).toEqual(before);
  });
});
