import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { loadPairs } from '../../markets/pairs.js';
import { projectFiles } from '../../platform/settings/project-files.js';

const folder = mkdtempSync(join(tmpdir(), 'council-pairs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const left = { venue: 'polymarket', eventId: '23784', marketId: '516710' };
const right = { venue: 'kalshi', eventId: 'kalshi:KXFED-26DEC', marketId: 'KXFED-26DEC-T4.00' };

test('the list of the project is valid', () => {
  expect(loadPairs(projectFiles.marketPairs).count).toBeGreaterThanOrEqual(0);
});

test('each market of a pair names the other, and any other market none', () => {
  const pairs = load([pair()]);
  expect(pairs.other(left.eventId, left.marketId)).toEqual(right);
  expect(pairs.other(right.eventId, right.marketId)).toEqual(left);
  expect(pairs.other(left.eventId, right.marketId)).toBeNull();
});

test.each<[string, object[], RegExp]>([
  ['was not reviewed', [pair({ reviewed_by: '' })], /reviewed_by/],
  ['has no note', [pair({ note: '' })], /note/],
  ['was reviewed on no day', [pair({ reviewed_on: 'yesterday' })], /reviewed_on/],
  [
    'names the event of another venue',
    [pair({ kalshi: { event: '23784', market: 'x' } })],
    /an event of kalshi/,
  ],
  [
    'names an event in another form',
    [pair({ kalshi: { event: 'kalshi:kxfed', market: 'x' } })],
    /as it is stored/,
  ],
  ['has a market that stands in another', [pair(), pair()], /516710 stands in two pairs/],
])('a pair that %s is refused', (_, pairs, complaint) => {
  expect(() => load(pairs)).toThrow(complaint);
});

test('a list that is no YAML is refused by the name of its file', () => {
  const path = join(folder, 'pairs.yaml');
  writeFileSync(path, 'pairs: [');
  expect(() => loadPairs(path)).toThrow(`${path} cannot be read as YAML`);
});

function pair(more: object = {}) {
  return {
    polymarket: { event: left.eventId, market: left.marketId },
    kalshi: { event: right.eventId, market: right.marketId },
    reviewed_on: '2026-11-20',
    reviewed_by: 'ops',
    note: 'Both follow the published target range.',
    ...more,
  };
}

function load(pairs: readonly object[]) {
  const path = join(folder, 'pairs.yaml');
  writeFileSync(path, JSON.stringify({ pairs }));
  return loadPairs(path);
}
