import { existsSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { seededRandom, seededShuffle } from '../../../council/random.js';
import { exportedRow, gradeFolder, jsonLines as lines, rain } from './grade-files.js';

const { write, typed, graded, remove } = gradeFolder();
afterAll(remove);

describe('the same rows by the same rules', () => {
  const next = seededRandom('rows to shuffle');
  const p = () => next().toFixed(3);
  const rows = Array.from({ length: 60 }, (_, index) => {
    const event = `e${index >> 1}`;
    const won = Math.floor(next() * 3);
    return [0, 1, 2].map(
      outcome =>
        `${'RGB'[outcome]},${event},s${index},0,${outcome === won ? 1 : 0},${p()},${p()},${p()},${p()}`,
    );
  });
  const file = (name: string, of: readonly string[]) =>
    write(name, `id,event,set,exclusive,outcome,market,ada,bela,cleo\n${of.join('\n')}\n`);

  test('give the same bytes and the same digest, in whatever order they are stored', async () => {
    const ordered = await typed(file('ordered.csv', rows.flat()));
    const shuffled = await typed(file('shuffled.csv', seededShuffle('another order', rows.flat())));
    expect(shuffled.out).toBe(ordered.out);
    expect(JSON.parse(ordered.out).digest).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse(ordered.out)).toMatchObject({ rows: { graded: 60 }, events: 30 });
  });

  test('give this digest on every machine', async () => {
    const { digest } = await graded(write('rain.csv', `id,outcome,market,ada,bela\n${rain}`));
    expect(digest).toBe('aecfd0d2ed38aa7035332e2087226e885cb52fb49da44fa4a95fe741e9a87046');
  });

  test('another row or another rule gives another digest', async () => {
    const [first = '', ...others] = rows.flat();
    const { digest } = await graded(file('ordered.csv', rows.flat()));
    const changed = await graded(file('changed.csv', [first.replace(/[^,]*$/, '0.123'), ...others]));
    const scalar = await graded(file('ordered.csv', rows.flat()), '--scalar', 'in');
    expect(new Set([digest, changed.digest, scalar.digest]).size).toBe(3);
  });
});

describe('rules', () => {
  const half = {
    state: 'fifty_fifty',
    scores: null,
    resolution: { outcomes: { 'm-Rain': 'fifty_fifty' }, evidence: {} },
  };
  const contested = {
    state: 'disputed',
    scores: null,
    resolution: { outcomes: { 'm-Rain': 'disputed' }, evidence: {} },
  };
  const file = write(
    'export.ndjson',
    lines([
      exportedRow({ report_id: 1 }),
      exportedRow({ report_id: 2, event_id: 'e2' }),
      { ...exportedRow({ report_id: 3, event_id: 'e3', council: 60 }), ...half },
      { ...exportedRow({ report_id: 4, event_id: 'e4' }), ...contested },
    ]),
  );
  const whyOf = ({ grades }: { grades: readonly { id: string; why: readonly string[] }[] }) =>
    Object.fromEntries(grades.map(({ id, why }) => [id, why]));

  test('are those of the service by default', async () => {
    const document = await graded(file);
    expect(document.rules).toEqual({
      baseline: 'at-forecast',
      scalar: 'out',
      disputed: 'in',
      rules_changed: 'in',
    });
    expect(document.rows).toMatchObject({ read: 4, graded: 2, fifty_fifty: 1, disputed: 1, left_out: 0 });
    expect(Object.values(whyOf(document)).flat()).toEqual([]);
  });

  test('leave out rows whose rules changed, and say so', async () => {
    const document = await graded(file, '--rules-changed', 'out');
    expect(document.rows).toMatchObject({ graded: 1, left_out: 1 });
    expect(whyOf(document)).toMatchObject({ 'report 1': [], 'report 2': ['rules_changed'] });
  });

  test('grade what was paid half by its share', async () => {
    const document = await graded(file, '--scalar', 'in');
    expect(document.rows).toMatchObject({ graded: 3, fifty_fifty: 0 });
    expect(whyOf(document)).toMatchObject({ 'report 3': ['scalar'] });
    const row = document.grades.find(({ id }: { id: string }) => id === 'report 3');
    expect(row.new.brier_vector_0_to_2).toBeCloseTo(2 * 0.1 ** 2, 12);
    expect(row.new.log_score).toBeCloseTo(-(Math.log(0.6) + Math.log(0.4)) / 2, 12);
  });

  test('leave out what a file of answers says was contested, and take its closing prices', async () => {
    const answers = write(
      'answers.csv',
      'event_id,outcome,was_disputed,market_at_close_1d\ne1,Yes,1,0.9\ne4,Yes,0,0.7\n',
    );
    const document = await graded(
      file,
      '--resolutions',
      answers,
      '--disputed',
      'out',
      '--baseline',
      'at-close-1d',
    );
    expect(whyOf(document)).toMatchObject({ 'report 1': ['disputed'], 'report 4': ['other_resolution'] });
    expect(document.figures.market).toMatchObject({
      n: 1,
      brier_binary_0_to_1: { mean: expect.closeTo(0.09, 12) },
    });
  });

  test('are refused where the files do not know what they need', async () => {
    const table = write('table.csv', 'id,outcome,market,ada,bela\nq1,1,,0.8,0.6\n');
    const cases = [
      ['--baseline', 'at-forecast', 'have no price at the time of the forecasts'],
      ['--baseline', 'at-close-1d', 'have no price of a day before the events closed'],
      ['--disputed', 'out', 'have nothing of contested answers'],
      ['--rules-changed', 'out', 'have nothing of changed rules'],
    ] as const;
    for (const [rule, value, said] of cases) {
      expect(await typed(table, rule, value)).toMatchObject({
        code: 1,
        err: expect.stringContaining(`${rule} ${value} cannot be followed: the files of evaluate ${said}`),
      });
    }
    expect(await typed(table, '--scalar', 'maybe')).toMatchObject({ code: 2 });
  });
});

test('the table says the same in words, on standard error', async () => {
  const { err } = await typed(
    write('export.ndjson', lines([exportedRow({ report_id: 1 })])),
    '--rules-changed',
    'in',
  );
  expect(err).toMatch(/^1 rows of track-record, 1 graded by grader\/2/m);
  expect(err).toMatch(/^council +1 +0\.1600/m);
  expect(err).toMatch(/^1 old grades, 0 differ/m);
  expect(err).toMatch(/^digest [0-9a-f]{64}$/m);
});

/** Real forecasts, read from outside the project because they may not be copied into it. */
const data = '../shared/data/forecasts';
const describeWithData = existsSync(data) ? describe : describe.skip;

describeWithData(`on the forecasts of ${data}, which are absent if this is skipped`, () => {
  const brier = async (file: string) => {
    const { figures } = await graded(`${data}/${file}`);
    return (name: string): number => figures[name].brier_binary_0_to_1.mean;
  };

  test('the figures are those of their own document to four digits', async () => {
    expect(readFileSync('../shared/data/README.md', 'utf8')).toContain('0.1765');
    const halawi = await brier('halawi2024-train.csv');
    expect(halawi('council')).toBeCloseTo(0.1765, 4);
    expect(halawi('market')).toBeCloseTo(0.1551, 4);
    expect(halawi('blend')).toBeCloseTo(0.1506, 4);
    expect(halawi('mean')).toBeCloseTo(0.1775, 4);
    const lu = await brier('lu2025-even.csv');
    expect(lu('council')).toBeCloseTo(0.1907, 4);
  });
});
