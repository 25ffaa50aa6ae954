import { describe, expect, test } from '@jest/globals';
import { makeApiKey } from '../../../purchase/api-key.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { useApiAlone } from '../../support/service/api-alone.js';
import { send } from '../../support/service/send.js';

const api = await useApiAlone();
const json = { 'content-type': 'application/json' };

describe('with neither database nor Temporal', () => {
  test('the process starts, is alive, and readiness names the missing parts', async () => {
    expect((await send(`${api.url}/healthz`)).status).toBe(200);
    const ready = await send(`${api.url}/readyz`);
    expectProblem(ready, 'unavailable');
    expect(ready.body.checks).toEqual({
      database: expect.stringMatching(/\S/),
      temporal: expect.stringMatching(/\S/),
    });
    expect(JSON.stringify(ready.body)).not.toMatch(/secret|127\.0\.0\.1/);
  });

  test('routes without a database work, and the others return unavailable', async () => {
    expect((await send(`${api.url}/api/events?search=federal`)).status).toBe(200);
    const key = { 'x-api-key': makeApiKey(count => crypto.getRandomValues(new Uint8Array(count))) };
    const session = { authorization: 'Bearer eyJhbGciOiJFZERTQSIsImtpZCI6IngifQ.e30.c2ln' };
    const signIn = JSON.stringify({ email: 'a@example.test', password: 'correct horse battery' });
    const answers = await Promise.all([
      send(`${api.url}/api/credits/pricing`),
      send(`${api.url}/api/credits/balance`, { headers: key }),
      send(`${api.url}/api/credits/balance`, { headers: session }),
      send(`${api.url}/api/keys`, { headers: session }),
      send(`${api.url}/api/reports/1`, { headers: key }),
      send(`${api.url}/api/reports`, {
        method: 'POST',
        headers: { ...json, ...key },
        body: '{"event_id":"sample-fed-cut-2031"}',
      }),
      send(`${api.url}/api/auth/sign-in/email`, { method: 'POST', headers: json, body: signIn }),
      send(`${api.url}/api/auth/jwks`),
    ]);
    for (const answer of answers) {
      expectProblem(answer, 'unavailable');
      expect(JSON.stringify(answer.body)).not.toMatch(/secret|127\.0\.0\.1/);
    }
    expectProblem(await send(`${api.url}/api/credits/balance`), 'unauthenticated');
    expectProblem(await send(`${api.url}/api/nothing`), 'not_found');
  });
});
