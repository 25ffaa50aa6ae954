import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkClock } from '../../../cli/doctor/check-clock.js';
import { assessDatabase } from '../../../cli/doctor/check-database.js';
import { checkNode } from '../../../cli/doctor/check-machine.js';
import { createDoctorWorld, readSettingsAnyway } from '../../../cli/doctor/doctor-world.js';
import { ok } from '../../../cli/doctor/finding.js';
import { runChecks } from '../../../cli/doctor/run-checks.js';
import { createTestDatabase, type TestDatabase } from '../../support/service/test-database.js';

describe('the checks of the doctor', () => {
  test('are all told, in one order, though one fails and one never answers', async () => {
    const waited: string[][] = [];
    const findings = await runChecks(
      [
        { name: 'payments', withinMs: 1_000, look: () => [ok('payments', 'fine')] },
        { name: 'temporal', withinMs: 20, look: () => new Promise(() => undefined) },
        {
          name: 'home',
          withinMs: 1_000,
          look: () => {
            throw new Error('no disk');
          },
        },
      ],
      names => waited.push([...names]),
    );
    expect(findings).toMatchObject([
      { check: 'home', state: 'problem', detail: 'could not be looked at: no disk' },
      {
        check: 'temporal',
        state: 'problem',
        detail: 'could not be looked at: there was no answer within 0.02 s',
      },
      { check: 'payments', state: 'ok' },
    ]);
    expect(waited.at(-2)).toEqual(['temporal']);
    expect(waited.at(-1)).toEqual([]);
  });

  test.each([
    ['20.19.0', '^20.19.0 || >=22.12.0', 'ok'],
    ['20.20.2', '^20.19.0 || >=22.12.0', 'ok'],
    ['20.18.9', '^20.19.0 || >=22.12.0', 'problem'],
    ['21.99.0', '^20.19.0 || >=22.12.0', 'problem'],
    ['22.11.9', '^20.19.0 || >=22.12.0', 'problem'],
    ['24.0.0', '^20.19.0 || >=22.12.0', 'ok'],
    ['20.19.0', '>=20.19', 'ok'],
    ['18.20.8', '>=20.19', 'problem'],
  ])('judge Node.js %s by %s: %s', (version, nodeRange, state) => {
    expect(checkNode(version, { version: '0', nodeRange })).toMatchObject([{ state }]);
  });

  test('can read the range that package.json asks for, and take the Node.js that runs the tests', () => {
    expect(checkNode()).toMatchObject([{ state: 'ok' }]);
  });

  test('take PostgreSQL 14 for too old, and 15 for new enough', () => {
    const state = { now: new Date(), pending: [], unknown: [] };
    const where = { place: 'db:5432/council', embedded: false };
    expect(assessDatabase({ ...state, majorVersion: 14 }, where)).toMatchObject([
      { state: 'problem', detail: 'PostgreSQL 14 at db:5432/council is too old' },
    ]);
    expect(assessDatabase({ ...state, majorVersion: 15 }, where)).toMatchObject([{ state: 'ok' }]);
  });

  test('tell whoever has the embedded database to start anew, for every start migrates', () => {
    const state = { now: new Date(), majorVersion: 18, pending: ['0009-x'], unknown: [] };
    const [finding] = assessDatabase(state, { place: 'here', embedded: true });
    expect(finding?.next).toContain('npm start');
  });
});

describe('the clock', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test.each([
    [0, [{ state: 'ok', detail: 'agrees with the database' }]],
    [25_000, [{ state: 'ok' }]],
    [40_000, [{ state: 'warning', detail: 'this machine is 40 s ahead of the database' }]],
    [-3_600_000, [{ state: 'warning', detail: 'this machine is 3600 s behind the database' }]],
  ])('of this machine, off by %d ms, is held against that of the database', async (offMs, findings) => {
    const world = await createDoctorWorld({ DATABASE_URL: database.url }, () => Date.now() + offMs);
    expect(await checkClock(world)).toMatchObject(findings);
  });
});

describe('settings that are wrong', () => {
  test('are left out one by one, and a gap among them with what it needs', () => {
    const { settings, complaints } = readSettingsAnyway({
      PORT: 'eighty',
      HOST: '0.0.0.0',
      COUNCIL_PROVDERS: 'live',
      SESSION_JWKS_URL: 'https://id.example.test/jwks',
    });
    expect(settings).toMatchObject({ PORT: 3_000, HOST: '0.0.0.0' });
    expect(settings.SESSION_JWKS_URL).toBeUndefined();
    expect(complaints).toEqual([
      expect.stringMatching(/^COUNCIL_PROVDERS: /),
      expect.stringMatching(/^PORT: /),
    ]);
  });

  test('keep a setting whose companions are there', () => {
    const identity = {
      SESSION_ISSUER: 'me',
      SESSION_AUDIENCE: 'us',
      SESSION_JWKS_URL: 'https://id.example.test/j',
    };
    expect(readSettingsAnyway({ ...identity, PORT: 'x' }).settings).toMatchObject(identity);
    expect(readSettingsAnyway(identity).complaints).toEqual([]);
  });
});
