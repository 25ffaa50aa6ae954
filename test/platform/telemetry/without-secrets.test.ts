import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createLogger, withoutSecrets } from '../../../platform/settings/logger.js';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** The log lines of all levels. */
function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  let lines = '';
  write(createLogger('api', { level: 'trace', to: { write: line => (lines += line) } }));
  return lines;
}

const canary = 'canary0123456789';

/** An error as libraries throw it, with the failed request nested inside. */
function brokenRequest(): Error {
  const headers = { authorization: `Bearer ${canary}`, 'set-cookie': [`a=${canary}`, `b=${canary}`] };
  const cause = Object.assign(new Error(`{"password":"${canary} \\" ${canary}"}`), {
    config: { apiKey: canary },
  });
  return Object.assign(new Error(`postgres://council:${canary}@127.0.0.1/council`), { headers, cause });
}

const hidden: [what: string, fields: object, message?: string][] = [
  ['a key of a field, however deep', { a: { b: [{ c: { key: canary } }] } }],
  ['a password, at any depth', { user: { password: canary, newPassword: canary } }],
  ['the headers of a request', { headers: { cookie: canary, 'x-api-key': canary, Authorization: canary } }],
  ['bytes of a key', { ring: [{ kid: 'k1', key: Buffer.from(canary) }] }],
  ['what an error carries', { err: brokenRequest() }],
  ['what an error of the Temporal SDK carries', { error: brokenRequest() }],
  ['a key of this service in a text', {}, `the key pc_live_${canary} is not valid`],
  ['a bearer token in a text', {}, `Authorization: Bearer ${canary}`],
  ['a token of a session', {}, `eyJhbGciOiJFZERTQSJ9.${canary}.${canary}`],
  ['a cookie of a session', {}, `better-auth.session_token=${canary}; Path=/`],
  ['a key of a vendor', {}, `Incorrect API key provided: sk-proj-${canary}`],
  ['a key in an address', {}, `GET https://example.test/v1?key=${canary}&n=1`],
  [
    'JSON within a text',
    {},
    JSON.stringify({ a: { 'x-api-key': canary, n: JSON.stringify({ token: canary }) } }),
  ],
];

describe('a log', () => {
  test.each(hidden)('never contains %s at any level', (_what, fields, message = 'told') => {
    const lines = logged(log => {
      for (const level of levels) log[level](fields, message);
      log.child(fields).info(message);
    });
    expect(lines.trimEnd().split('\n')).toHaveLength(levels.length + 1);
    expect(lines).not.toContain(canary);
    for (const line of lines.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });

  test('would contain each of them without redaction', () => {
    for (const [, fields, message] of hidden) {
      let lines = '';
      pino({ serializers: { error: pino.stdSerializers.err } }, { write: line => (lines += line) }).info(
        fields,
        message ?? '',
      );
      const bytes = JSON.stringify(Buffer.from(canary).toJSON().data);
      expect(lines.includes(canary) || lines.includes(bytes)).toBe(true);
    }
  });

  test('keeps the fields that operators need', () => {
    const fields = {
      request_id: '3db22ab2-24b1-4127-bd84-92d8f97fc4a3',
      api_key_id: '650591af-06a2-4c3c-a849-c6b841936b83',
      route: '/api/keys/:key_id',
      workflowId: 'report/3db22ab2/sample-fed-cut-2031/2031-03-05',
      tokens: 12,
    };
    expect(JSON.parse(logged(log => log.info(fields, 'request')))).toMatchObject({
      ...fields,
      msg: 'request',
    });
  });

  test('takes no longer for a hostile line than for a normal one', () => {
    const line = JSON.stringify({
      key: 1,
      text: `${'x'.repeat(1e5)}${'\\'.repeat(1e4)}${'"key'.repeat(1e4)}${'?'.repeat(1e4)}`,
    });
    const startMs = performance.now();
    withoutSecrets(line);
    expect(performance.now() - startMs).toBeLessThan(1_000);
  });
});
