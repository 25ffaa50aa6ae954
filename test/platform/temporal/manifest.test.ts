import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { manifestFor, readTemporalManifest } from '../../../platform/temporal/manifest.js';
import { searchAttributes } from '../../../workflows/report-interface.js';

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

  test('names each maintenance duty that there is', () => {
    const { maintenance_every_seconds } = readTemporalManifest(projectFiles.temporalManifest);
    const code = readFileSync('workflows/maintenance.ts', 'utf8');
    const [, body = ''] = /^const duties = \{\n(.*?)^\};/ms.exec(code) ?? [];
    const duties = [...body.matchAll(/^ {2}'?([a-z-]+)'?: /gm)].map(([, name]) => name);
    expect(new Set(Object.keys(maintenance_every_seconds))).toEqual(new Set(duties));
  });

  test('has the index of Kalshi filled only where Kalshi is a venue', () => {
    const manifest = readTemporalManifest(projectFiles.temporalManifest);
    const dutiesAt = (...venues: Parameters<typeof manifestFor>[0]) =>
      Object.keys(manifestFor(venues, manifest).maintenance_every_seconds);
    const all = Object.keys(manifest.maintenance_every_seconds);
    expect(dutiesAt('polymarket', 'kalshi')).toEqual(all);
    expect(dutiesAt('polymarket')).toEqual(all.filter(duty => duty !== 'fill-kalshi-index'));
  });

  test('gives a worker longer to end than the longest model call may take', () => {
    const { worker } = readTemporalManifest(projectFiles.temporalManifest);
    expect(worker.shutdown_grace_ms).toBeGreaterThan(45_000);
  });

  test.each([
    ['an unknown key', `${text}\napi_key: secret\n`],
    ['a time that is not a number', text.replace('shutdown_grace_ms: 50000', 'shutdown_grace_ms: soon')],
    ['an unknown duty', text.replace('send-usage: 60', 'send-money: 60')],
    ['a duty without an interval', text.replace('send-usage: 60', 'send-usage:')],
    ['an interval of zero', text.replace('send-usage: 60', 'send-usage: 0')],
    ['pages of no size', text.replace('page_size: 50', 'page_size: 0')],
    ['an unknown kind of attribute', text.replace('AccountId: Keyword', 'AccountId: Word')],
  ])('is rejected with %s', (_what, changed) => {
    expect(changed).not.toBe(text);
    expect(() => read(changed)).toThrow('is not valid');
  });
});
