import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readForecasts } from '../../cli/commands/grading/read-forecasts.js';
import { yesNo } from '../record/resolved-reports.js';
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
      method: 'council/2',
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
      without: { ada: null, bela: null },
    });
    expect(stderr).toMatch(/^market +1 +0\.2500/m);
    expect(await typed('evaluate', file, '--json')).toMatchObject({ out: stdout });
  });

  test('takes outcomes of a set and independent markets, and fits weights to them', async () => {
    const race = Array.from({ length: 12 }, (_, index) => {
      const won = index % 3;
      return [0, 1, 2].map(
        outcome =>
          `${'RBG'[outcome]},race-${index},,${outcome === won ? 1 : 0},0.3${outcome},0.${outcome === won ? 4 : 3},0.3${outcome === 2 ? 4 : 3},0.${outcome === won ? 4 : 3}`,
      );
    });
    const markets = ['Above 60,ladder,0,1,0.8,0.7,0.6,0.8', 'Above 70,ladder,0,0,0.4,0.5,0.4,0.3'];
    const file = write(
      `id,set,exclusive,outcome,market,ada,bela,cleo\n${[...race.flat(), ...markets].join('\n')}\n`,
    );
    const { out, err } = await typed('evaluate', file);
    expect(JSON.parse(out)).toMatchObject({
      questions: 14,
      multi_outcome: 12,
      council: { n: 14 },
      estimate: { n: 14, brier_interval_95: [expect.any(Number), expect.any(Number)] },
      without: {
        ada: { n: 14, brier: expect.any(Number), interval_95: [expect.any(Number), expect.any(Number)] },
      },
    });
    expect(err).toMatch(/^without +n  minus council/m);
    expect(JSON.parse((await typed('weights', 'fit', file)).out).trained_on).toMatchObject({
      events: 13,
      rows: 14,
    });
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
      reports: [
        yesNo({ event: 'a "b"', outcome: 1, market: 0.5, forecasts: [0.25, 0.001] }),
        yesNo({ event: 'c', outcome: 0, market: null, forecasts: [null, null] }),
      ],
    });
  });

  test('may have the columns event and checkpoint, which are not forecasters', () => {
    const text = 'id,event,checkpoint,outcome,market,ada,bela\nq1-0,q1,1,1,0.5,0.8,0.6\nq1-1,q1,2,1,,0.9,\n';
    const [first, second] = readForecasts(text).reports;
    expect(first).toMatchObject({ event: 'q1', checkpoint: '1', forecasts: [[0.8], [0.6]] });
    expect(second).toMatchObject({ event: 'q1', checkpoint: '2', forecasts: [[0.9], null] });
    expect(readForecasts('id,checkpoint,outcome,market,ada,bela\nq,5,0,,0.1,0.2\n')).toEqual({
      forecasters: ['ada', 'bela'],
      reports: [yesNo({ event: 'q', checkpoint: '5', outcome: 0, market: null, forecasts: [0.1, 0.2] })],
    });
  });

  test('may have sets: outcomes of which one happens, or independent markets, each one report', () => {
    const text = `id,set,exclusive,outcome,market,ada,bela
Red,race,,1,0.6,0.7,0.5
other,,,0,0.5,0.2,
Blue,race,,0,0.4,0.3,0.5
Above 60,ladder,0,1,0.9,0.8,
Above 70,ladder,0,1,,0.6,0.5
`;
    expect(readForecasts(text).reports).toEqual([
      {
        event: 'race',
        checkpoint: null,
        exclusive: true,
        markets: [
          { name: 'Red', outcome: 1, price: 0.6 },
          { name: 'Blue', outcome: 0, price: 0.4 },
        ],
        forecasts: [
          [0.7, 0.3],
          [0.5, 0.5],
        ],
      },
      yesNo({ event: 'other', outcome: 0, market: 0.5, forecasts: [0.2, null] }),
      {
        event: 'ladder',
        checkpoint: null,
        exclusive: false,
        markets: [
          { name: 'Above 60', outcome: 1, price: 0.9 },
          { name: 'Above 70', outcome: 1, price: null },
        ],
        forecasts: [[0.8, 0.6], null],
      },
    ]);
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
    [
      'a set of one line',
      'id,set,outcome,market,ada,bela\nq,s,1,,1,1',
      'Line 2, column set: a set has 2 to 40',
    ],
    [
      'an outcome twice',
      'id,set,outcome,market,ada,bela\nq,s,1,,0.5,0.5\nq,s,0,,0.5,0.5',
      'Line 3, column id: is already in the set s',
    ],
    [
      'two winners',
      'id,set,outcome,market,ada,bela\nq,s,1,,0.5,0.5\nr,s,1,,0.5,0.5',
      'Line 2, column outcome: exactly one line of the set s must be 1, not 2',
    ],
    [
      'a set that does not add up',
      'id,set,outcome,market,ada,bela\nq,s,1,,0.5,0.5\nr,s,0,,0.5,0.9',
      'Line 2, column bela: the probabilities of a set must add up to 1 ± 0.02, not 1.400',
    ],
    [
      'a set at two times',
      'id,set,checkpoint,outcome,market,ada,bela\nq,s,1,1,,0.5,0.5\nr,s,2,0,,0.5,0.5',
      'Line 3, column checkpoint: must be the same in all lines of the set s',
    ],
    [
      'a word for exclusive',
      'id,exclusive,outcome,market,ada,bela\nq,no,1,,0.5,0.5',
      'Line 2, column exclusive',
    ],
    ['hexadecimal', 'id,outcome,market,ada,bela\nq,1,,0.5,0x1', 'Line 2, column bela'],
  ])('with %s is rejected with the line and column', (_, text, message) => {
    expect(() => readForecasts(text)).toThrow(message);
  });
});
