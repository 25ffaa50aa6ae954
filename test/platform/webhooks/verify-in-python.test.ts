import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { newWebhookSecret, signWebhook } from '../../../platform/webhooks/sign-webhook.js';

/** A receiver in Python, with nothing but its standard library: the published scheme is all that it knows of us. */
const receiver = `
import base64, hashlib, hmac, json, sys

def verify(secret, headers, body):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    wanted = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    signatures = [each.partition(",") for each in headers["webhook-signature"].split(" ")]
    return any(version == "v1" and hmac.compare_digest(text, wanted) for version, _, text in signatures)

asked = json.load(sys.stdin)
print(json.dumps([verify(secret, asked["headers"], asked["body"].encode()) for secret in asked["secrets"]]))
`;

function verifiedBy(secrets: readonly string[], headers: Record<string, string>, body: string): boolean[] {
  const input = JSON.stringify({ secrets, headers, body });
  const { stdout, stderr } = spawnSync('python3', ['-c', receiver], { input, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

const secret = () => newWebhookSecret(count => randomBytes(count));

test('a receiver in Python verifies a request with each secret that signed it', () => {
  const [present, before, another] = [secret(), secret(), secret()];
  const body = '{"type":"report.completed","data":{"event_id":"Üben"}}';
  const headers = {
    'webhook-id': 'a-delivery',
    'webhook-timestamp': '1930478400',
    'webhook-signature': signWebhook([present, before], 'a-delivery', 1_930_478_400, body),
  };
  expect(verifiedBy([present, before, another], headers, body)).toEqual([true, true, false]);
  expect(verifiedBy([present], headers, body.replace('Üben', 'Uben'))).toEqual([false]);
  expect(verifiedBy([present], { ...headers, 'webhook-id': 'another' }, body)).toEqual([false]);
  expect(verifiedBy([present], { ...headers, 'webhook-timestamp': '1930478401' }, body)).toEqual([false]);
});
