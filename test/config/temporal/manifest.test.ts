import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { projectFiles } from '../../../config/project-files.js';
import { readTemporalManifest } from '../../../config/temporal/manifest.js';
import { searchAttributes } from '../../../workflows/search-attributes.js';

const folder = mkdtempSync(join(tmpdir(), 'manifest-'));
const text = readFileSync(projectFiles.temporalManifest, 'utf8');

afterAll(() => rmSync(folder, { recursive: true }));

function read(changed: string) {
  const path = join(folder, 'temporal.yaml');
  writeFileSync(path, changed);
  return readTemporalManifest(path);
}

describe('temporal.yaml', () => {
  test('declares exactly the search attributes that runs carry', () => {
    const declared = readTemporalManifest(projectFiles.temporalManifest).search_attributes;
    expect(Object.keys(declared).toSorted()).toEqual(Object.keys(searchAttributes).toSorted());
  });

  test('schedules each chore there is, and the sweep that grades, once', () => {
    const { schedules } = readTemporalManifest(projectFiles.temporalManifest);
    const chores = [
      ...readFileSync('workflows/chores.ts', 'utf8').matchAll(/^export async function (\w+)/gm),
    ];
    expect(schedules.map(({ workflow }) => workflow).toSorted()).toEqual(
      [...chores.map(([, name]) => name ?? ''), 'regradeDue'].toSorted(),
    );
  });

  test('gives a worker longer to end than the longest model call may take', () => {
    const { worker } = readTemporalManifest(projectFiles.temporalManifest);
    expect(worker.shutdown_grace_ms).toBeGreaterThan(45_000);
  });

  test.each([
    ['an unknown key', `${text}\napi_key: secret\n`],
    ['a missing policy', text.replace(/ {2}refund:[\s\S]*?\n\n/, '\n')],
    ['a time that is no number', text.replace('heartbeat_ms: 5000', 'heartbeat_ms: soon')],
    ['a schedule of no chore', text.replace('workflow: sendUsage', 'workflow: sendMoney')],
    [
      'a schedule without an interval',
      text.replace('workflow: sendUsage, every_seconds: 60', 'workflow: sendUsage'),
    ],
    [
      'an unknown key of a schedule',
      text.replace('workflow: sendUsage,', 'workflow: sendUsage, overlap: allow,'),
    ],
    ['a catch-up window the server would not take', text.replace('window_seconds: 60', 'window_seconds: 5')],
    ['two schedules of one name', text.replace('id: expire-grants', 'id: check-ledger')],
    ['pages of no size', text.replace('page_size: 50', 'page_size: 0')],
    ['pages that nobody would miss', text.replace(/^ {6}heartbeat_ms: 5000\n {6}start/m, '      start')],
    ['no policy for the chores', text.replace(/^chore_policy:[\s\S]*?\n\n/m, '')],
    ['an unknown kind of attribute', text.replace('AccountId: Keyword', 'AccountId: Word')],
  ])('is refused with %s', (_what, changed) => {
    expect(changed).not.toBe(text);
    expect(() => read(changed)).toThrow('is not valid');
  });
});
