import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readForecasts } from '../../cli/commands/evaluate-forecasts.js';

const run = promisify(execFile);
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evaluate-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function council(...args: string[]) {
  return run('node', ['dist/cli/council.js', ...args], { env: { PATH: process.env['PATH'] } });
}

function write(text: string): string {
  const file = join(folder, 'forecasts.csv');
  writeFileSync(file, text);
  return file;
}

describe('council evaluate', () => {
  test('prints one JSON document, and a table for people beside it', async () => {
    const file = write('id,outcome,market,ada,bela\r\nq1,1,0.5,0.8,0.6\r\nq2,0,,0.4,\r\n');
    const { stdout, stderr } = await council('evaluate', file);
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'council/1',
      questions: 2,
      below_quorum: 1,
      council: { n: 1 },
      market: { n: 1, brier: 0.25 },
      blend: { n: 1 },
      mean: { n: 1 },
      forecasters: { ada: { n: 2 }, bela: { n: 1 } },
    });
    expect(stderr).toMatch(/^market +1 +0\.2500/m);
    expect(await council('evaluate', file, '--json')).toMatchObject({ stdout });
  });

  test('needs no service, no key and no database, and says what is wrong with a file', async () => {
    await expect(council('evaluate', join(folder, 'missing.csv'))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('missing.csv cannot be read'),
    });
    await expect(
      council('evaluate', write('id,outcome,market,ada,bela\nq,2,,0.1,0.2\n')),
    ).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Line 2, column outcome: must be 0 or 1'),
    });
  });
});

describe('a table of forecasts', () => {
  test('is read with quotes, blank lines, a byte order mark and names of all kinds', () => {
    const text = '\uFEFFid,outcome,market,"GPT, 5",__proto__\n\n"a ""b""", 1 ,0.5,.25,1e-3\nc,0,,,\n';
    expect(readForecasts(text)).toEqual({
      forecasters: ['GPT, 5', '__proto__'],
      questions: [
        { id: 'a "b"', outcome: 1, market: 0.5, forecasts: [0.25, 0.001] },
        { id: 'c', outcome: 0, market: null, forecasts: [null, null] },
      ],
    });
  });

  test.each([
    ['nothing at all', '', 'must begin with id,outcome,market'],
    ['another table', 'due,source,id\n1,2,3', 'must begin with id,outcome,market'],
    ['one forecaster', 'id,outcome,market,ada\nq,1,,0.5', 'at least 2 forecasters'],
    ['two of one name', 'id,outcome,market,ada,ada\nq,1,,0.5,0.5', 'a name of its own'],
    ['one without a name', 'id,outcome,market,ada,\nq,1,,0.5,0.5', 'a name of its own'],
    ['no questions', 'id,outcome,market,ada,bela\n', 'no questions'],
    ['a short line', 'id,outcome,market,ada,bela\nq,1,0.5', 'Invalid Record Length'],
    ['an open quote', 'id,outcome,market,ada,bela\n"q,1,,0.5,0.5', 'not a CSV table'],
    ['no id', 'id,outcome,market,ada,bela\n,1,,0.5,0.5', 'Line 2, column id'],
    ['an open question', 'id,outcome,market,ada,bela\nq,,,0.5,0.5', 'Line 2, column outcome'],
    ['half an answer', 'id,outcome,market,ada,bela\nq,0.5,,0.5,0.5', 'Line 2, column outcome'],
    [
      'percents',
      'id,outcome,market,ada,bela\nq,1,,0.5,0.5\nr,1,,50,0.5',
      'Line 3, column ada: must be a probability',
    ],
    ['a word', 'id,outcome,market,ada,bela\nq,1,n/a,0.5,0.5', 'Line 2, column market'],
    ['less than nothing', 'id,outcome,market,ada,bela\nq,1,,0.5,-0.1', 'Line 2, column bela'],
    ['not a number', 'id,outcome,market,ada,bela\nq,1,,0.5,NaN', 'Line 2, column bela'],
    ['hexadecimal', 'id,outcome,market,ada,bela\nq,1,,0.5,0x1', 'Line 2, column bela'],
  ])('with %s is refused, with the place', (_, text, message) => {
    expect(() => readForecasts(text)).toThrow(message);
  });
});
