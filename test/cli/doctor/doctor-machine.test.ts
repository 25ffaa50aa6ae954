import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { assessDatabase } from '../../../cli/doctor/check-database.js';
import { checkNode } from '../../../cli/doctor/check-machine.js';
import { type CheckName, checkNames, type Finding, ok } from '../../../cli/doctor/finding.js';
import { runChecks } from '../../../cli/doctor/run-checks.js';
import type { RoleState } from '../../../db/service-role.js';
import { formatKeyRing } from '../../../platform/keys/key-ring.js';
import { readSettings } from '../../../platform/settings/settings.js';
import { council } from '../../support/service/council-command.js';
import {
  type StripeFault,
  type StripeStandIn,
  secretKey,
  startStripeStandIn,
  webhookSecret,
} from '../../support/stripe/stripe-stand-in.js';
import { boundRole, isolated, otherProgram, runDoctor, useOwnHome } from './doctor-support.js';

const secret = 'canary-0123456789';
const home = useOwnHome();
const containing = (text: string) => expect.stringContaining(text);

describe('the runner of the checks', () => {
  test('reports all checks in a fixed order, also when one fails and one never answers', async () => {
    const waiting: string[][] = [];
    const failing = () => {
      throw new Error('no disk');
    };
    const findings = await runChecks(
      [
        { name: 'payments', timeoutMs: 1_000, run: () => ok('fine') },
        { name: 'temporal', timeoutMs: 20, run: () => new Promise(() => undefined) },
        { name: 'home', timeoutMs: 1_000, run: failing },
      ],
      names => waiting.push([...names]),
    );
    expect(findings).toMatchObject([
      { check: 'home', state: 'problem', detail: 'check failed: no disk' },
      { check: 'temporal', state: 'problem', detail: 'check failed: no answer within 0.02 s' },
      { check: 'payments', state: 'ok' },
    ]);
    expect(waiting.slice(-2)).toEqual([['temporal'], []]);
  });
});

describe('single checks', () => {
  test.each([
    ['20.19.0', '^20.19.0 || >=22.12.0', 'ok'],
    ['20.20.2', '^20.19.0 || >=22.12.0', 'ok'],
    ['20.18.9', '^20.19.0 || >=22.12.0', 'problem'],
    ['21.99.0', '^20.19.0 || >=22.12.0', 'problem'],
    ['22.11.9', '^20.19.0 || >=22.12.0', 'problem'],
    ['24.0.0', '^20.19.0 || >=22.12.0', 'ok'],
    ['20.19.0', '>=20.19', 'ok'],
    ['18.20.8', '>=20.19', 'problem'],
  ])('Node.js %s against %s: %s', (version, nodeRange, state) => {
    expect(checkNode(version, { version: '0', nodeRange }).state).toBe(state);
  });

  test('Node.js: the range in package.json is readable and includes the Node.js of the tests', () => {
    expect(checkNode().state).toBe('ok');
  });
});

describe('the assessment of a database', () => {
  type State = Parameters<typeof assessDatabase>[0];
  const assess = (more: Partial<State>, embedded = false) =>
    assessDatabase(
      { now: new Date(), majorVersion: 18, pending: [], unknown: [], role: boundRole, ...more },
      { place: 'db:5432/council', embedded },
    );

  test('PostgreSQL 14 is too old, 15 is new enough', () => {
    expect(assess({ majorVersion: 14 })).toMatchObject([
      { state: 'problem', detail: 'PostgreSQL 14 at db:5432/council is too old' },
    ]);
    expect(assess({ majorVersion: 15 })).toMatchObject([{ state: 'ok' }]);
  });

  test('the advice on an embedded one is to start again, because each start migrates', () => {
    const [finding] = assess({ pending: ['0009-x'] }, true);
    expect(finding?.next).toContain('npm start');
  });

  test.each<[Partial<RoleState>, string]>([
    [{ ownsTables: true, createsObjects: true }, 'as app, which owns its tables'],
    [{ superuser: true, ownsTables: true, createsObjects: true }, 'as app, a superuser'],
    [{ createsObjects: true }, 'as app, which may create'],
  ])('a role with %j is a warning: reports are made all the same', (more, detail) => {
    expect(assess({ role: { ...boundRole, ...more } })).toMatchObject([
      { state: 'ok' },
      { state: 'warning', detail: containing(detail), next: containing('"Database roles"') },
    ]);
  });

  test('a table that the role may not read is a problem, and the owner’s migration the remedy', () => {
    const detail = 'app may not read accounts, reports at db:5432/council';
    expect(assess({ role: { ...boundRole, unreadable: ['accounts', 'reports'] } })).toMatchObject([
      { state: 'problem', detail, next: containing('npm run migrate') },
    ]);
  });
});

describe('council doctor, as shipped', () => {
  test('finds no problem on a machine where nothing runs, and creates neither a home nor keys', async () => {
    const nowhere = join(home.path, 'not', 'there');
    const { code, out } = await council(['doctor', '--json'], { ...isolated, COUNCIL_HOME: nowhere });
    expect(code).toBe(0);
    const { findings }: { findings: Finding[] } = JSON.parse(out);
    const found = (check: CheckName) => findings.find(finding => finding.check === check);
    for (const check of ['settings', 'node', 'home', 'port', 'encryption_keys', 'clock', 'models'] as const) {
      expect(found(check)).toMatchObject({ state: 'ok', next: null });
    }
    expect(found('database')?.detail).toContain('`npm start` starts its own');
    expect(found('temporal')?.detail).toContain('not configured');
    expect(found('payments')).toMatchObject({ state: 'warning', next: containing('STRIPE_SECRET_KEY') });
    await expect(rm(nowhere, { recursive: true })).rejects.toThrow('ENOENT');
  });

  test('runs every check when everything is broken, says what to do, ends with 1 and prints no secret', async () => {
    const port = String(await otherProgram());
    await writeFile(join(home.path, 'file'), '');
    const { code, out, err } = await council(['doctor'], {
      ...isolated,
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
    const { settings, home: place, service, encryption_keys, database, temporal, models } = checkNames;
    for (const name of [settings, place, service, 'PORT', encryption_keys, database, temporal, models]) {
      expect(out).toMatch(new RegExp(`^${name} +problem .+\\n +→ \\S`, 'm'));
    }
    expect(out).toContain('COUNCIL_PROVDERS: there is no such setting');
    expect(out).toContain('STAGE_DEADLINES_MS: must be');
    expect(out).toMatch(/^Node.js +ok/m);
    expect(out).toContain('127.0.0.1:1/x cannot be reached (ECONNREFUSED)');
    expect(`${out}${err}`).not.toContain('canary');
  });
});

describe('council doctor, on payments', () => {
  let stripe: StripeStandIn;
  let env: Record<string, string>;
  beforeAll(async () => {
    stripe = await startStripeStandIn();
    env = {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: stripe.url,
    };
  });
  afterAll(() => stripe.close());

  test.each<[what: string, state: string, detail: string, change?: object, fault?: StripeFault]>([
    ['a key that Stripe accepts', 'ok', 'Stripe accepts the key'],
    [
      'a dead key',
      'problem',
      'does not accept STRIPE_SECRET_KEY (HTTP 401)',
      { STRIPE_SECRET_KEY: 'sk_test_canary' },
    ],
    [
      'a Stripe that does not answer',
      'problem',
      'no answer from 127.0.0.1:1',
      { STRIPE_API_BASE: 'http://127.0.0.1:1' },
    ],
    ['a Stripe that fails', 'problem', 'Stripe answers with HTTP 500', {}, 500],
  ])('reports %s as %s, and shows no key', async (_what, state, detail, change = {}, fault) => {
    stripe.fault = fault ?? null;
    const diagnosis = await runDoctor({ ...env, ...change });
    stripe.fault = null;
    const next = state === 'ok' ? null : expect.stringMatching(/\S/);
    expect(diagnosis.finding('payments')).toMatchObject({ state, detail: containing(detail), next });
    expect(diagnosis.ok).toBe(state === 'ok');
    expect(JSON.stringify(diagnosis)).not.toMatch(/canary|sk_test_stand_in/);
  });

  test('finds the same invalid settings as the start', async () => {
    const invalid = { ...env, STRIPE_API_BASE: 'https://a.test/stripe', TEMPORAL_DEPLOYMENT_NAME: 'a.b' };
    const { findings, ok } = await runDoctor(invalid);
    const found = findings.filter(({ check }) => check === 'settings').map(({ detail }) => detail);
    expect(ok).toBe(false);
    expect(found).toHaveLength(2);
    for (const detail of found) expect(() => readSettings(invalid)).toThrow(detail);
  });
});

describe('council doctor, on one machine', () => {
  test('says how `npm start` gets a Temporal server, and downloads none itself', async () => {
    const cache = join(home.path, 'cache');
    const { ok, finding } = await runDoctor({ PATH: home.path, XDG_CACHE_HOME: cache });
    expect(finding('temporal')).toMatchObject({ state: 'warning', next: containing('downloads it') });
    expect(ok).toBe(true);
    await expect(rm(cache, { recursive: true })).rejects.toThrow('ENOENT');
  });

  test('needs no COUNCIL_HOME where database, Temporal and keys are configured, as in a container', async () => {
    const file = join(home.path, 'file');
    await writeFile(file, '');
    const configured = {
      COUNCIL_HOME: file,
      DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
    };
    const keys = formatKeyRing([{ kid: 'k1', key: randomBytes(32) }]);
    const complete = await runDoctor({ ...configured, ENCRYPTION_KEYS: keys });
    expect(complete.finding('home')).toMatchObject({ state: 'ok', detail: containing('not used') });
    expect((await runDoctor(configured)).finding('home')?.state).toBe('problem');
  });

  test.each([
    ['no key ring at all', 'not-a-ring'],
    ['a key that is too short', 'k1:AAAA'],
  ])('says how to create an encryption key when ENCRYPTION_KEYS is %s', async (_what, keys) => {
    const { ok, finding } = await runDoctor({ ENCRYPTION_KEYS: keys });
    expect(finding('settings')?.detail).toContain('ENCRYPTION_KEYS: must be');
    expect(finding('encryption_keys')).toMatchObject({
      state: 'problem',
      next: containing('randomBytes(32)'),
    });
    expect(ok).toBe(false);
  });

  test('says what to do about a key file that is damaged, open to others or unreadable', async () => {
    const path = join(home.path, 'encryption-keys');
    await writeFile(path, 'half a k', { mode: 0o600 });
    const damaged = await runDoctor({ COUNCIL_HOME: home.path });
    expect(damaged.finding('encryption_keys')).toMatchObject({
      state: 'problem',
      next: containing('backup'),
    });
    expect(damaged.ok).toBe(false);
    await writeFile(path, formatKeyRing([{ kid: 'k1', key: randomBytes(32) }]));
    await chmod(path, 0o644);
    const open = await runDoctor({ COUNCIL_HOME: home.path });
    expect(open.finding('encryption_keys')).toMatchObject({ state: 'warning', next: `chmod 600 ${path}` });
    expect(open.ok).toBe(true);
    await rm(path);
    await mkdir(path);
    const unreadable = await runDoctor({ COUNCIL_HOME: home.path });
    expect(unreadable.finding('encryption_keys')?.detail).toContain('EISDIR');
  });

  test.each([
    ['behind', 95],
    ['ahead of', -95],
  ])('sees from a vendor’s responses that the clock is %s it', async (direction, seconds) => {
    const port = await otherProgram(seconds * 1_000);
    const { finding } = await runDoctor({
      OPENAI_API_KEY: secret,
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    });
    expect(finding('clock')).toMatchObject({ state: 'warning', next: containing('NTP') });
    expect(finding('clock')?.detail).toMatch(
      new RegExp(`this machine is 9[4-6] s ${direction} 127.0.0.1:${port}`),
    );
  });

  test('uses the valid settings when others are invalid', async () => {
    const { findings, finding } = await runDoctor({
      PORT: 'eighty',
      MARKETS: 'nasdaq',
      DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x',
    });
    const complaints = findings.filter(({ check }) => check === 'settings').map(({ detail }) => detail);
    expect(complaints).toEqual([expect.stringMatching(/^PORT: /), expect.stringMatching(/^MARKETS: /)]);
    expect(finding('database')?.detail).toContain('127.0.0.1:1/x cannot be reached');
  });
});
