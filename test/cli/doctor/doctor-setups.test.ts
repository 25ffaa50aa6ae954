import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkNames } from '../../../cli/doctor/finding.js';
import { formatKeyRing } from '../../../config/keys/key-ring.js';
import { useOwnHome } from './own-home.js';
import { findingsOf, runDoctor, toldFindings } from './run-doctor.js';
import { stranger } from './stranger.js';

const secret = 'canary-0123456789';
const home = useOwnHome();

describe('council doctor, where nothing runs', () => {
  test('finds nothing broken: `npm start` would bring it all', async () => {
    const { code, all, by } = await toldFindings({ COUNCIL_HOME: home.path });
    expect(all.filter(({ state }) => state === 'problem')).toEqual([]);
    expect(code).toBe(0);
    for (const check of ['settings', 'node', 'home', 'port', 'encryption_keys', 'clock', 'models'] as const) {
      expect(by(check)).toMatchObject({ state: 'ok', next: null });
    }
    expect(by('database')?.detail).toContain('`npm start` brings its own');
    expect(by('temporal')?.detail).toContain('none is set');
    expect(by('payments')).toMatchObject({
      state: 'warning',
      next: expect.stringContaining('STRIPE_SECRET_KEY'),
    });
  });

  test('changes nothing: no home is made, and no key', async () => {
    const nowhere = join(home.path, 'not', 'there');
    await runDoctor({ COUNCIL_HOME: nowhere });
    await expect(rm(nowhere, { recursive: true })).rejects.toThrow('ENOENT');
  });
});

describe('council doctor, on a machine without a Temporal server', () => {
  test('says how `npm start` comes by one, and fetches none itself', async () => {
    const cache = join(home.path, 'cache');
    const { by, code } = await findingsOf({
      COUNCIL_HOME: home.path,
      PATH: home.path,
      XDG_CACHE_HOME: cache,
    });
    expect(by('temporal')).toMatchObject({ state: 'warning', next: expect.stringContaining('downloads it') });
    expect(code).toBe(0);
    await expect(rm(cache, { recursive: true })).rejects.toThrow('ENOENT');
  });
});

describe('council doctor, where everything is broken', () => {
  test('still makes every check, says of each what to do, ends with 1 and shows no secret', async () => {
    const port = String(await stranger());
    await writeFile(join(home.path, 'file'), '');
    const { code, out, err } = await runDoctor({
      COUNCIL_HOME: join(home.path, 'file'),
      COUNCIL_PROVDERS: 'live',
      STAGE_DEADLINES_MS: '1',
      PORT: port,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      DATABASE_URL: `postgres://u:${secret}@127.0.0.1:1/x`,
      ENCRYPTION_KEYS: secret,
      COUNCIL_BASE_URL: `http://127.0.0.1:${port}`,
      OPENAI_API_KEY: secret,
      OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
      STRIPE_SECRET_KEY: secret,
    });
    expect(code).toBe(1);
    const broken = [
      'settings',
      'home',
      'service',
      'port',
      'encryption_keys',
      'database',
      'temporal',
      'models',
    ] as const;
    for (const check of broken) {
      expect(out).toMatch(new RegExp(`^${checkNames[check]} +problem .+\\n +→ \\S`, 'm'));
    }
    expect(out).toContain('COUNCIL_PROVDERS: there is no such setting');
    expect(out).toContain('STAGE_DEADLINES_MS: must be');
    expect(out).toMatch(/^Node.js +ok/m);
    expect(out).toContain('127.0.0.1:1/x cannot be reached (ECONNREFUSED)');
    expect(`${out}${err}`).not.toContain('canary');
  });
});

describe('council doctor, on keys, clock and settings', () => {
  test.each([
    ['no key ring at all', 'not-a-ring'],
    ['a key that is too short', 'k1:AAAA'],
  ])('says of %s how a good one is made', async (_what, keys) => {
    const { code, by } = await findingsOf({ COUNCIL_HOME: home.path, ENCRYPTION_KEYS: keys });
    expect(by('settings')?.detail).toContain('ENCRYPTION_KEYS: must be');
    expect(by('encryption_keys')).toMatchObject({
      state: 'problem',
      next: expect.stringContaining('randomBytes(32)'),
    });
    expect(code).toBe(1);
  });

  test('says of a damaged file of keys that it needs restoring, and of an open one how to close it', async () => {
    const path = join(home.path, 'encryption-keys');
    await writeFile(path, 'half a k', { mode: 0o600 });
    const damaged = await findingsOf({ COUNCIL_HOME: home.path });
    expect(damaged.by('encryption_keys')).toMatchObject({
      state: 'problem',
      next: expect.stringContaining('backup'),
    });
    expect(damaged.code).toBe(1);
    await writeFile(path, formatKeyRing([{ kid: 'k1', key: randomBytes(32) }]));
    await chmod(path, 0o644);
    const open = await findingsOf({ COUNCIL_HOME: home.path });
    expect(open.by('encryption_keys')).toMatchObject({ state: 'warning', next: `chmod 600 ${path}` });
    expect(open.code).toBe(0);
    await rm(path);
    await mkdir(path);
    expect((await findingsOf({ COUNCIL_HOME: home.path })).by('encryption_keys')?.detail).toContain('EISDIR');
  });

  test.each([
    ['behind', 95],
    ['ahead of', -95],
  ])('sees by a vendor’s answers that the clock is %s the world’s', async (way, seconds) => {
    const port = await stranger(() => new Date(Date.now() + seconds * 1_000));
    const { by } = await findingsOf({
      COUNCIL_HOME: home.path,
      OPENAI_API_KEY: secret,
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    });
    expect(by('clock')).toMatchObject({ state: 'warning', next: expect.stringContaining('NTP') });
    expect(by('clock')?.detail).toMatch(new RegExp(`this machine is 9[4-6] s ${way} 127.0.0.1:${port}`));
  });

  test('looks at every setting that holds where others do not', async () => {
    const { all, by } = await findingsOf({
      COUNCIL_HOME: home.path,
      PORT: 'eighty',
      MARKETS: 'nasdaq',
      SESSION_JWKS_URL: 'https://id.example.test/jwks',
      DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x',
    });
    expect(all.filter(({ check }) => check === 'settings').map(({ detail }) => detail.split(':')[0])).toEqual(
      expect.arrayContaining(['PORT', 'MARKETS']),
    );
    expect(by('database')?.detail).toContain('127.0.0.1:1/x cannot be reached');
  });
});
