import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signWebhook } from '../../../platform/webhooks/sign-webhook.js';

const nowSeconds = () => Math.floor(Date.now() / 1_000);

function headersOf(secrets: readonly string[], body: string, id = 'msg_1', seconds = nowSeconds()) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signWebhook(secrets, id, seconds, body),
  };
}

test('a new secret is whsec_ and 32 bytes in base64', () => {
  const secret = newWebhookSecret(randomBytes);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newWebhookSecret(randomBytes)).not.toBe(secret);
});

test('the library of the standard verifies every body, and signs it alike', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.uuid(), (value, id) => {
      const secret = newWebhookSecret(randomBytes);
      const body = JSON.stringify(value);
      const headers = headersOf([secret], body, id);
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
      expect(new Webhook(secret).sign(id, at, body)).toBe(headers['webhook-signature']);
    }),
  );
});

test('while a secret is replaced, the earlier and the present one verify, and no third one does', () => {
  const [earlier, present, third] = [1, 2, 3].map(() => newWebhookSecret(randomBytes)) as [
    string,
    string,
    string,
  ];
  const headers = headersOf([present, earlier], '{}');
  for (const secret of [earlier, present]) expect(new Webhook(secret).verify('{}', headers)).toEqual({});
  expect(() => new Webhook(third).verify('{}', headers)).toThrow('No matching signature');
});

test.each([
  ['another body', '{"a":2}', {}],
  ['another id', '{"a":1}', { 'webhook-id': 'msg_2' }],
  ['another time', '{"a":1}', { 'webhook-timestamp': String(nowSeconds() - 10) }],
])('a receiver refuses %s under the same signature', (_, body, changed) => {
  const secret = newWebhookSecret(randomBytes);
  const headers = { ...headersOf([secret], '{"a":1}'), ...changed };
  expect(() => new Webhook(secret).verify(body, headers)).toThrow();
});
