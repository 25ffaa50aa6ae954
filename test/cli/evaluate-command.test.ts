import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readForecasts } from '../../cli/commands/read-forecasts.js';
import { council } from '../support/service/council-command.js';

const folder = mkdtempSync(join(tmpdir(), 'evaluate-'));
afterAll(() => rmSync(folder, { recursive: true }));

const typed = (...args: string[]) => council(args, {});

function write(text: string): string {
  const file = join(folder, 'forecasts.csv');
  writeFileSync(file, text);
  return file;
}

describe('council evaluate', () => {
  test('prints one JSON document on stdout and a table on stderr', async () => {
    const file = write('id,outcome,market,ada,bela\r\nq1,1,0.5,0.8,0.6\r\nq2,0,,0.4,\r\n');
    const { out: stdout, err: stderr } = await typed('evaluate', file);
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'council/1',
      questions: 2,
      below_quorum: 1,
      council: { n: 1 },
      market: { n: 1, brier: 0.25 },
      blend: { n: 1 },
      estimate: { n: 1 },
      estimate_by: { out_of_fold: false, in_sample: false, weights: { id: 'halawi-2024-2' } },
      bets: { n: 1, by_kind: { edge: { n: 1, actual_win_rate: 1 }, pick: { n: 0 } } },
      mean: { n: 1 },
      forecasters: { ada: { n: 2 }, bela: { n: 1 } },
    });
    expect(stderr).toMatch(/^market +1 +0\.2500/m);
    expect(await typed('evaluate', file, '--json')).toMatchObject({ out: stdout });
  });

  test('runs without a service, key or database, and reports what is wrong with a file', async () => {
    expect(await typed('evaluate', join(folder, 'missing.csv'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('missing.csv cannot be read'),
    });
    expect(await typed('evaluate', write('id,outcome,market,ada,bela\nq,2,,0.1,0.2\n'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('Line 2, column outcome: must be 0 or 1'),
    });
  });
});

describe('council weights fit', () => {
  const table = Array.from({ length: 40 }, (_, index) => {
    const happened = index % 3 === 0 ? 1 : 0;
    const market = 0.3 + 0.01 * index;
    return `q${index},e${index >> 1},${index % 5},${happened},${market.toFixed(2)},${happened ? 0.8 : 0.3},${happened ? 0.7 : 0.2}`;
  });
  const file = () => write(`id,event,checkpoint,outcome,market,ada,bela\n${table.join('\n')}\n`);

  test('prints an artefact with its scores out of fold, and writes it to a file that evaluate reads', async () => {
    const [questions, out] = [file(), join(folder, 'weights.json')];
    const { out: stdout, err: stderr } = await typed(
      'weights',
      'fit',
      questions,
      '--out',
      out,
      '--id',
      'mine',
      '--json',
    );
    const printed = JSON.parse(stdout);
    expect(printed).toMatchObject({
      id: 'mine',
      kind: 'estimate/2',
      prior: { market: 0.8, council: 0.2, council_by_dispersion: 0 },
      trained_on: { events: 20, rows: 40, until: null },
      cross_validated: {
        estimate: { n: 40, minus_blend: { n: 40, interval_95: [expect.any(Number), expect.any(Number)] } },
        market: { n: 40 },
        blend: { n: 40 },
      },
    });
    expect(stderr).toContain('Out of fold');
    const { cross_validated, sha256, ...artefact } = printed;
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(artefact);

    const again = JSON.parse((await typed('evaluate', questions, '--weights', out)).out);
    expect(again.estimate_by).toEqual({
      out_of_fold: false,
      in_sample: true,
      weights: { id: 'mine', sha256 },
    });
    const fitted = await typed('evaluate', questions, '--fit');
    expect(JSON.parse(fitted.out)).toMatchObject({
      estimate: cross_validated.estimate,
      estimate_by: { out_of_fold: true, in_sample: false, weights: null },
      bets: cross_validated.bets,
    });
    expect(fitted.err).toContain('estimate: out of fold');
  });

  test('and evaluate say what is missing', async () => {
    const questions = file();
    expect(await typed('evaluate', questions, '--weights', 'unknown')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There are no weights unknown'),
    });
    expect(await typed('evaluate', questions, '--weights', questions)).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not an artefact of weights'),
    });
    expect(await typed('weights', 'fit', questions, '--id', 'My Weights')).toMatchObject({
      code: 2,
    });
  });
});

describe('a CSV file of forecasts', () => {
  test('may contain quotes, blank lines, a byte order mark and any forecaster name', () => {
    const text = '\uFEFFid,outcome,market,"GPT, 5",__proto__\n\n"a ""b""", 1 ,0.5,.25,1e-3\nc,0,,,\n';
    expect(readForecasts(text)).toEqual({
      forecasters: ['GPT, 5', '__proto__'],
      questions: [
        { id: 'a "b"', outcome: 1, market: 0.5, forecasts: [0.25, 0.001] },
        { id: 'c', outcome: 0, market: null, forecasts: [null, null] },
      ],
    });
  });

  test('may have the columns event and checkpoint, which are not forecasters', () => {
    const text = 'id,event,checkpoint,outcome,market,ada,bela\nq1-0,q1,1,1,0.5,0.8,0.6\nq1-1,q1,2,1,,0.9,\n';
    expect(readForecasts(text)).toEqual({
      forecasters: ['ada', 'bela'],
      questions: [
        { id: 'q1-0', event: 'q1', checkpoint: '1', outcome: 1, market: 0.5, forecasts: [0.8, 0.6] },
        { id: 'q1-1', event: 'q1', checkpoint: '2', outcome: 1, market: null, forecasts: [0.9, null] },
      ],
    });
    expect(readForecasts('id,checkpoint,outcome,market,ada,bela\nq,5,0,,0.1,0.2\n')).toEqual({
      forecasters: ['ada', 'bela'],
      questions: [{ id: 'q', checkpoint: '5', outcome: 0, market: null, forecasts: [0.1, 0.2] }],
    });
  });

  test.each([
    ['no text', '', 'must begin with id,outcome,market'],
    ['another table', 'due,source,id\n1,2,3', 'must begin with id,outcome,market'],
    ['one forecaster', 'id,outcome,market,ada\nq,1,,0.5', 'at least 2 forecasters'],
    ['a repeated name', 'id,outcome,market,ada,ada\nq,1,,0.5,0.5', 'a unique name'],
    ['an empty name', 'id,outcome,market,ada,\nq,1,,0.5,0.5', 'a unique name'],
    ['no questions', 'id,outcome,market,ada,bela\n', 'no questions'],
    ['a short line', 'id,outcome,market,ada,bela\nq,1,0.5', 'Invalid Record Length'],
    ['an unclosed quote', 'id,outcome,market,ada,bela\n"q,1,,0.5,0.5', 'not a CSV table'],
    ['no id', 'id,outcome,market,ada,bela\n,1,,0.5,0.5', 'Line 2, column id'],
    [
      'no event',
      'id,event,outcome,market,ada,bela\nq,,1,,0.5,0.5',
      'Line 2, column event: must not be empty',
    ],
    ['no outcome', 'id,outcome,market,ada,bela\nq,,,0.5,0.5', 'Line 2, column outcome'],
    ['a fractional outcome', 'id,outcome,market,ada,bela\nq,0.5,,0.5,0.5', 'Line 2, column outcome'],
    [
      'percents',
      'id,outcome,market,ada,bela\nq,1,,0.5,0.5\nr,1,,50,0.5',
      'Line 3, column ada: must be a probability',
    ],
    ['a word as a price', 'id,outcome,market,ada,bela\nq,1,n/a,0.5,0.5', 'Line 2, column market'],
    ['a negative probability', 'id,outcome,market,ada,bela\nq,1,,0.5,-0.1', 'Line 2, column bela'],
    ['not a number', 'id,outcome,market,ada,bela\nq,1,,0.5,NaN', 'Line 2, column bela'],
    ['hexadecimal', 'id,outcome,market,ada,bela\nq,1,,0.5,0x1', 'Line 2, column bela'],
  ])('with %s is rejected with the line and column', (_, text, message) => {
    expect(() => readForecasts(text)).toThrow(message);
  });
});
