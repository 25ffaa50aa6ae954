import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { useTestWorld } from '../db/support/test-world.js';
import { twoSided } from '../record/grade-fixtures.js';
import { plantReports } from '../support/record/plant-record.js';
import { tamper } from '../support/record/tamper.js';
import { council } from '../support/service/council-command.js';

const world = useTestWorld();
const folder = mkdtempSync(join(tmpdir(), 'council-anchor-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'anchor.json');
const anchor = (...options: string[]) =>
  council(['record', 'anchor', file, ...options], {
    DATABASE_URL: world.url,
    PUBLIC_URL: 'https://council.example',
  });

test('an empty record has nothing to publish', async () => {
  expect(await anchor()).toMatchObject({ code: 1, err: expect.stringContaining('has no entry yet') });
});

test('the head of the record is written to a file, with the commands that publish it', async () => {
  await plantReports(world, [twoSided(60, 50)]);
  const [head] = await world.sql(
    `select seq, encode(hash, 'hex') as hash from record_entries order by seq desc limit 1`,
  );
  const { code, out } = await anchor('--json');
  expect(code).toBe(0);
  const written = {
    record: 'anchor/1',
    service: 'https://council.example',
    number: head.seq,
    hash: head.hash,
    time: expect.any(String),
  };
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(written);
  expect(JSON.parse(out)).toEqual({
    file,
    ...written,
    commands: [
      `git tag --sign record-${head.seq} --file ${file}`,
      `git push origin record-${head.seq}`,
      `ots stamp ${file}`,
    ],
  });
  expect((await anchor()).out).toContain(`Record: entry ${head.seq}, ${head.hash}`);
});

test('a head that was tampered with is not written', async () => {
  const undo = await tamper(world, `update record_entries set payload = payload || ' '`);
  const { code, err } = await anchor();
  expect(code).not.toBe(0);
  expect(err).toContain('does not match its hash');
  await undo();
});
