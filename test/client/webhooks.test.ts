import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { CouncilReports } from '../../client/council-reports.js';

const { webhooks } = new CouncilReports({ baseUrl: 'http://127.0.0.1' });
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = newSecret();
const event = {
  type: 'report.completed',
  timestamp: '2031-03-01T12:00:00.000Z',
  data: { report_id: 7, event_id: 'sample-fed-cut-2031', status: 'completed', record: null },
};
const body = JSON.stringify(event);

/** A delivery as the reference implementation of Standard Webhooks signs it. */
function delivery({ signedBy = [secret], at = new Date(), text = body } = {}) {
  const id = 'msg_7';
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signedBy.map(each => new Webhook(each).sign(id, at, text)).join(' '),
  };
}

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
const invalid = { name: 'CouncilProblem', code: 'invalid_webhook', status: null };

describe('a delivery that the reference implementation has signed', () => {
  test.each([
    ['an object', (headers: Record<string, string>) => headers],
    ['a Headers object', (headers: Record<string, string>) => new Headers(headers)],
    [
      'headers as Node.js has them',
      (headers: Record<string, string>) =>
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]])),
    ],
  ])('is unwrapped with its headers in %s', async (_, as) => {
    await expect(webhooks.unwrap(body, as(delivery()), secret)).resolves.toEqual(event);
  });

  test('is unwrapped from the bytes of its body', async () => {
    const text = JSON.stringify({ ...event, type: 'webhook.test', data: { note: 'größer als 10 €' } });
    const bytes = new TextEncoder().encode(text);
    await expect(webhooks.unwrap(bytes, delivery({ text }), secret)).resolves.toMatchObject({
      data: { note: 'größer als 10 €' },
    });
  });

  test('is unwrapped with either secret while they are rotated', async () => {
    const next = newSecret();
    const both = delivery({ signedBy: [next, secret] });
    await expect(webhooks.unwrap(body, both, secret)).resolves.toEqual(event);
    await expect(webhooks.unwrap(body, both, next)).resolves.toEqual(event);
    await expect(webhooks.unwrap(body, delivery(), [next, secret])).resolves.toEqual(event);
  });

  test.each([
    ['old', ago(290), true],
    ['too old', ago(310), false],
    ['early', ago(-290), true],
    ['too early', ago(-310), false],
  ])('counts within 300 seconds: %s', async (_, at, isValid) => {
    const unwrapped = webhooks.unwrap(body, delivery({ at }), secret);
    if (isValid) await expect(unwrapped).resolves.toEqual(event);
    else await expect(unwrapped).rejects.toMatchObject(invalid);
  });
});

describe('what was not signed with the secret', () => {
  test.each([
    ['another secret', body, delivery({ signedBy: [newSecret()] })],
    ['another body', `${body} `, delivery()],
    ['another id', body, { ...delivery(), 'webhook-id': 'msg_8' }],
    [
      'another time',
      body,
      { ...delivery(), 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 7) },
    ],
    [
      'another version',
      body,
      { ...delivery(), 'webhook-signature': delivery()['webhook-signature'].replace('v1', 'v2') },
    ],
    ['no signature', body, { 'webhook-id': 'msg_7', 'webhook-timestamp': delivery()['webhook-timestamp'] }],
    ['no time', body, { ...delivery(), 'webhook-timestamp': 'today' }],
    ['a signature that is not base64', body, { ...delivery(), 'webhook-signature': 'v1,%%% v1,' }],
  ])('is refused: %s', async (_, text, headers) => {
    await expect(webhooks.unwrap(text, headers, secret)).rejects.toMatchObject(invalid);
  });

  test('is refused for any change of one character of the signature', async () => {
    const { 'webhook-signature': signature, ...headers } = delivery();
    // The last character has bits that no byte of the signature needs.
    const places = fc.integer({ min: 3, max: signature.length - 3 });
    await fc.assert(
      fc.asyncProperty(
        places,
        fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '+', '/'),
        async (place, character) => {
          fc.pre(signature[place] !== character);
          const changed = signature.slice(0, place) + character + signature.slice(place + 1);
          const unwrapped = webhooks.unwrap(body, { ...headers, 'webhook-signature': changed }, secret);
          await expect(unwrapped).rejects.toMatchObject(invalid);
        },
      ),
    );
  });

  test.each(['', 'whsec_', 'whsec_%'])('is not compared with the secret "%s"', async each => {
    await expect(webhooks.unwrap(body, delivery(), each)).rejects.toMatchObject(invalid);
  });
});
