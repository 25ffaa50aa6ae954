import { describe, expect, test } from '@jest/globals';
import { publicUrlOf, readSettings, readSettingsTolerantly } from '../../../platform/settings/settings.js';

const key = Buffer.alloc(32, 7).toString('base64');

describe('settings', () => {
  test('an empty environment configures a simulated service on this machine', () => {
    expect(readSettings({})).toMatchObject({
      PORT: 3_000,
      HOST: '127.0.0.1',
      COUNCIL_HOME: '.council',
      COUNCIL_PROVIDERS: 'simulated',
      MARKETS: ['sample'],
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

  test('with one provider key the models are live and events come from the real venues', () => {
    expect(readSettings({ XAI_API_KEY: 'k' })).toMatchObject({
      COUNCIL_PROVIDERS: 'live',
      MARKETS: ['polymarket', 'kalshi'],
    });
    expect(readSettings({ XAI_API_KEY: 'k', COUNCIL_PROVIDERS: 'simulated' }).MARKETS).toEqual(['sample']);
  });

  test('a worker takes tasks from all queues, or from those that are named', () => {
    expect(readSettings({}).WORKER_QUEUES).toEqual(['reports', 'model-calls', 'webhooks']);
    expect(readSettings({ WORKER_QUEUES: 'webhooks, reports' }).WORKER_QUEUES).toEqual([
      'reports',
      'webhooks',
    ]);
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
    ['DATABASE_DIRECT_URL', 'postgres://localhost/x'],
    ['OPENAI_BASE_URL', 'not a url'],
    ['STRIPE_API_BASE', 'https://a.test/stripe'],
    ['STRIPE_API_BASE', 'https://a.test/?version=1'],
    ['STRIPE_API_BASE', 'https://user:secret@a.test'],
    ['SESSION_JWKS_URL', 'http://id.example/jwks'],
    ['SESSION_JWKS_URL', 'http://127.0.0.1.example/jwks'],
    ['SIMULATOR_URL', 'simulator:4010'],
    ['SIMULATOR_URL', 'http://simulator:4010/openai'],
    ['TEMPORAL_DEPLOYMENT_NAME', 'council.reports'],
    ['COUNCIL_PROVIDERS', 'real'],
    ['MARKETS', 'nasdaq'],
    ['MARKETS', 'sample,polymarket'],
    ['WORKER_QUEUES', 'reports,calls'],
    ['ENCRYPTION_KEYS', 'k1:c2hvcnQ='],
    ['ENCRYPTION_KEYS', `k1:${key},k1:${key}`],
    ['STAGE_DEADLINES_MS', '45000,40000'],
    ['STAGE_DEADLINES_MS', '1,2,3'],
    ['PUBLIC_URL', 'council.example'],
    ['PUBLIC_URL', 'https://council.example/reports'],
    ['TRUSTED_PROXIES', 'proxy.internal'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['SMTP_URL', 'https://mail.example'],
    ['EMAIL_VERIFICATION', 'yes'],
    ['HOUSE_LIMIT_USD_PER_DAY', '-1'],
    ['GRANT_LIMIT_USD_PER_DAY', 'no limit'],
    ['WEBHOOK_TARGETS', 'private'],
    ['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT', 'yes, all of it'],
    ['WEBHOOK_TARGET', 'public'],
    ['TRUSTED_PROXY', '10.0.0.1'],
    ['COUNCIL_PROVIDER', 'live'],
    ['STAGE_DEADLINE_MS', '1000,1000,1000'],
  ])('%s = %s is rejected by name, without repeating the value', (name, value) => {
    const read = () => readSettings({ [name]: value });
    expect(read).toThrow(new RegExp(`^The configuration is not valid:\\n {2}${name}: `));
    if (value.length > 6) expect(read).not.toThrow(value);
  });

  const groups = [
    { SESSION_JWKS_URL: 'https://id.example/jwks', SESSION_ISSUER: 'i', SESSION_AUDIENCE: 'a' },
    { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
  ];
  const halves = groups.flatMap(group =>
    Object.keys(group).flatMap(name => {
      const { [name]: value, ...others } = group as Record<string, string>;
      const alone = { set: { [name]: value ?? '' }, missing: Object.keys(others) };
      return Object.keys(others).length === 1 ? [alone] : [alone, { set: others, missing: [name] }];
    }),
  );
  test.each(halves)('$set needs $missing', ({ set, missing }) => {
    const needed = missing.map(name => `${name}: required with ${Object.keys(set).join(' and ')}`);
    const { settings, problems } = readSettingsTolerantly(set);
    expect(problems).toEqual(needed);
    expect(settings).toMatchObject(Object.fromEntries(Object.keys(set).map(name => [name, undefined])));
    expect(() => readSettings(set)).toThrow(needed[0]);
  });

  test('settings that belong together are accepted together', () => {
    for (const group of groups) expect(readSettings(group)).toMatchObject(group);
  });

  test.each(['127.0.0.1', 'localhost', '[::1]'])('keys of sessions may come by http from %s only', host => {
    const session = {
      SESSION_JWKS_URL: `http://${host}:8080/jwks`,
      SESSION_ISSUER: 'i',
      SESSION_AUDIENCE: 'a',
    };
    expect(readSettings(session)).toMatchObject(session);
    const { problems } = readSettingsTolerantly({ ...session, SESSION_JWKS_URL: 'http://10.0.0.7/jwks' });
    expect(problems).toEqual([expect.stringMatching(/^SESSION_JWKS_URL: must be https/)]);
  });

  test('a simulator is refused with live models, which would not use it', () => {
    const SIMULATOR_URL = 'http://simulator:4010/';
    expect(readSettings({ SIMULATOR_URL }).SIMULATOR_URL).toBe('http://simulator:4010');
    expect(() => readSettings({ SIMULATOR_URL, XAI_API_KEY: 'k' })).toThrow('SIMULATOR_URL: only with');
    const { settings } = readSettingsTolerantly({ SIMULATOR_URL, COUNCIL_PROVIDERS: 'live' });
    expect(settings.SIMULATOR_URL).toBeUndefined();
  });

  test('a mail server needs a sender, and a sender a mail server', () => {
    const [SMTP_URL, MAIL_FROM] = ['smtps://user:password@mail.example', 'Council <council@example.com>'];
    expect(readSettings({ SMTP_URL, MAIL_FROM })).toMatchObject({ SMTP_URL, MAIL_FROM });
    expect(() => readSettings({ SMTP_URL })).toThrow('MAIL_FROM: required with SMTP_URL');
    expect(() => readSettings({ MAIL_FROM })).toThrow('SMTP_URL: required with MAIL_FROM');
    for (const sender of ['council', 'a@b.c, d@e.f', 'a@b.c\nBcc: d@e.f', 'A <a@b.c> d@e.f'])
      expect(() => readSettings({ SMTP_URL, MAIL_FROM: sender })).toThrow('MAIL_FROM: must be');
    const { settings } = readSettingsTolerantly({ SMTP_URL });
    expect(settings.SMTP_URL).toBeUndefined();
  });

  test('live models on an address that others can reach need a public URL', () => {
    const live = { HOST: '0.0.0.0', XAI_API_KEY: 'k' };
    expect(() => readSettings(live)).toThrow('PUBLIC_URL: required with live models');
    expect(() => readSettings({ HOST: '0.0.0.0' })).not.toThrow();
    const settings = readSettings({ ...live, PUBLIC_URL: 'https://council.example/' });
    expect(publicUrlOf(settings)).toBe('https://council.example');
  });

  test('webhooks reach private addresses only from simulated models on this machine, or where that is asked for', () => {
    const targets = (env: Record<string, string>) => readSettings(env).WEBHOOK_TARGETS;
    expect(targets({})).toBe('any');
    expect(targets({ WEBHOOK_TARGETS: 'public' })).toBe('public');
    expect(targets({ HOST: '0.0.0.0' })).toBe('public');
    expect(targets({ XAI_API_KEY: 'k' })).toBe('public');
    expect(targets({ XAI_API_KEY: 'k', WEBHOOK_TARGETS: 'any' })).toBe('any');
    for (const HOST of ['0.0.0.0', '::', '10.0.0.7', 'council.example']) {
      const { settings, problems } = readSettingsTolerantly({ HOST, WEBHOOK_TARGETS: 'any' });
      expect(problems).toEqual([expect.stringMatching(/^WEBHOOK_TARGETS: any only with a HOST/)]);
      expect(settings.WEBHOOK_TARGETS).toBe('public');
    }
  });

  test('without a public URL, callers use the address on which the service listens', () => {
    expect(publicUrlOf(readSettings({ PORT: '80' }))).toBe('http://127.0.0.1:80');
    expect(publicUrlOf(readSettings({ HOST: '::1' }))).toBe('http://[::1]:3000');
    for (const HOST of ['0.0.0.0', '::']) {
      expect(publicUrlOf(readSettings({ HOST }))).toBe('http://localhost:3000');
    }
  });

  test('only live models bound what the house takes on in a day, and demand verified addresses', () => {
    const names = ['EMAIL_VERIFICATION', 'HOUSE_LIMIT_USD_PER_DAY', 'GRANT_LIMIT_USD_PER_DAY'] as const;
    const chosen = (env: Record<string, string>) => names.map(name => readSettings(env)[name]);
    expect(chosen({})).toEqual(['off', Infinity, Infinity]);
    expect(chosen({ XAI_API_KEY: 'k' })).toEqual(['required', 200, 20]);
    const own = {
      EMAIL_VERIFICATION: 'off',
      HOUSE_LIMIT_USD_PER_DAY: 'unlimited',
      GRANT_LIMIT_USD_PER_DAY: '0',
    };
    expect(chosen({ XAI_API_KEY: 'k', ...own })).toEqual(['off', Infinity, 0]);
  });

  test('trusted proxies are addresses and networks of both families', () => {
    const TRUSTED_PROXIES = '10.0.0.0/8, 192.0.2.7, fd00::/8,::1';
    expect(readSettings({ TRUSTED_PROXIES }).TRUSTED_PROXIES).toEqual([
      '10.0.0.0/8',
      '192.0.2.7',
      'fd00::/8',
      '::1',
    ]);
    expect(readSettings({}).TRUSTED_PROXIES).toEqual([]);
  });

  test('traces contain prompts and answers only where that is asked for, in the words of OpenTelemetry', () => {
    const captured = (value?: string) =>
      readSettings({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: value })
        .OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT;
    for (const value of ['true', 'TRUE', 'SPAN_ONLY', 'span_and_event']) expect(captured(value)).toBe(true);
    for (const value of [undefined, '', 'false', 'EVENT_ONLY', 'NO_CONTENT'])
      expect(captured(value)).toBe(false);
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
      'SESSION_AUDIENCE: required with SESSION_JWKS_URL and SESSION_ISSUER',
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
