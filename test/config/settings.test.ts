import { describe, expect, test } from '@jest/globals';
import { readSettings, readSettingsTolerantly } from '../../config/settings.js';

const key = Buffer.alloc(32, 7).toString('base64');

describe('settings', () => {
  test('an empty environment configures a simulated service on this machine', () => {
    expect(readSettings({})).toMatchObject({
      PORT: 3_000,
      HOST: '127.0.0.1',
      COUNCIL_HOME: '.council',
      COUNCIL_PROVIDERS: 'simulated',
      MARKETS: 'sample',
      STAGE_DEADLINES_MS: { opinions: 35_000, cross_review: 30_000, synthesis: 20_000 },
    });
  });

  test('a run ends within 120 seconds by default, whatever its models do', () => {
    const { STAGE_DEADLINES_MS, RESEARCH_DEADLINE_MS, EVIDENCE } = readSettings({});
    expect(EVIDENCE).toBe('search');
    const models = Object.values(STAGE_DEADLINES_MS).reduce((sum, ms) => sum + ms, RESEARCH_DEADLINE_MS);
    // The rest is for the market, the conclusion and the hops between the steps.
    expect(120_000 - models).toBeGreaterThanOrEqual(5_000);
  });

  test('with one provider key the models are live and events come from the real market', () => {
    expect(readSettings({ XAI_API_KEY: 'k' })).toMatchObject({
      COUNCIL_PROVIDERS: 'live',
      MARKETS: 'polymarket',
    });
    expect(readSettings({ XAI_API_KEY: 'k', COUNCIL_PROVIDERS: 'simulated' }).MARKETS).toBe('sample');
  });

  test('an empty value counts as unset', () => {
    expect(readSettings({ XAI_API_KEY: ' ', PORT: '' })).toMatchObject({
      COUNCIL_PROVIDERS: 'simulated',
      PORT: 3_000,
    });
  });

  test.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'not a url'],
    ['OPENAI_BASE_URL', 'not a url'],
    ['STRIPE_API_BASE', 'https://a.test/stripe'],
    ['STRIPE_API_BASE', 'https://a.test/?version=1'],
    ['STRIPE_API_BASE', 'https://user:secret@a.test'],
    ['SIMULATOR_URL', 'simulator:4010'],
    ['SIMULATOR_URL', 'http://simulator:4010/openai'],
    ['TEMPORAL_DEPLOYMENT_NAME', 'council.reports'],
    ['COUNCIL_PROVIDERS', 'real'],
    ['MARKETS', 'kalshi'],
    ['ENCRYPTION_KEYS', 'k1:c2hvcnQ='],
    ['ENCRYPTION_KEYS', `k1:${key},k1:${key}`],
    ['STAGE_DEADLINES_MS', '45000,40000'],
    ['STAGE_DEADLINES_MS', '1,2,3'],
    ['COUNCIL_PROVIDER', 'live'],
    ['STAGE_DEADLINE_MS', '1000,1000,1000'],
  ])('%s = %s is rejected by name, without repeating the value', (name, value) => {
    const read = () => readSettings({ [name]: value });
    expect(read).toThrow(new RegExp(`^The configuration is not valid:\\n {2}${name}: `));
    if (value.length > 6) expect(read).not.toThrow(value);
  });

  test('an external identity provider needs an issuer and an audience', () => {
    const jwks = { SESSION_JWKS_URL: 'https://id.example/jwks' };
    expect(() => readSettings({ ...jwks, SESSION_ISSUER: 'https://id.example' })).toThrow('SESSION_AUDIENCE');
    expect(readSettings({ ...jwks, SESSION_ISSUER: 'i', SESSION_AUDIENCE: 'a' }).SESSION_ISSUER).toBe('i');
  });

  test('a simulator is refused with live models, which would not use it', () => {
    const SIMULATOR_URL = 'http://simulator:4010/';
    expect(readSettings({ SIMULATOR_URL }).SIMULATOR_URL).toBe('http://simulator:4010');
    expect(() => readSettings({ SIMULATOR_URL, XAI_API_KEY: 'k' })).toThrow('SIMULATOR_URL: only with');
    const { settings } = readSettingsTolerantly({ SIMULATOR_URL, COUNCIL_PROVIDERS: 'live' });
    expect(settings.SIMULATOR_URL).toBeUndefined();
  });

  test('variables of other programs are ignored', () => {
    expect(() =>
      readSettings({ SESSION_MANAGER: 'local/x', STRIPE_API_KEY: 'sk', HOME: '/root' }),
    ).not.toThrow();
  });

  test('the first key of a ring is the active one', () => {
    const other = Buffer.alloc(32, 8).toString('base64');
    const ring = readSettings({ ENCRYPTION_KEYS: `new:${other},old:${key}` }).ENCRYPTION_KEYS;
    expect(ring?.map(({ kid }) => kid)).toEqual(['new', 'old']);
  });

  test('read tolerantly, invalid variables count as unset, and every problem is listed', () => {
    const { settings, problems } = readSettingsTolerantly({
      PORT: 'eighty',
      HOST: '0.0.0.0',
      COUNCIL_PROVDERS: 'live',
      SESSION_JWKS_URL: 'https://id.example/jwks',
      SESSION_ISSUER: 'i',
    });
    expect(settings).toMatchObject({ PORT: 3_000, HOST: '0.0.0.0' });
    expect(settings.SESSION_JWKS_URL).toBeUndefined();
    expect(problems).toEqual([
      'COUNCIL_PROVDERS: there is no such setting',
      expect.stringMatching(/^PORT: /),
      'SESSION_AUDIENCE: required with SESSION_JWKS_URL',
    ]);
  });

  test('read tolerantly, a valid variable is kept when another one is invalid', () => {
    const session = {
      SESSION_ISSUER: 'i',
      SESSION_AUDIENCE: 'a',
      SESSION_JWKS_URL: 'https://id.example/jwks',
    };
    expect(readSettingsTolerantly({ ...session, PORT: 'x' }).settings).toMatchObject(session);
    expect(readSettingsTolerantly(session).problems).toEqual([]);
  });
});
