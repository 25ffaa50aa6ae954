import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createWebhookSender, type WebhookSenderOptions } from '../../../platform/webhooks/send-webhook.js';
import { selfSignedCertificate } from '../../support/public/nginx.js';
import { hasOpenssl, skippedWithoutOpenssl } from '../../support/timestamps/openssl-authority.js';
import { type Receiver, startReceiver } from './receiver.js';

const describeIfThere = hasOpenssl ? describe : describe.skip;
const notTrusted = 'The certificate of the host is not valid for its name, or not trusted.';

describeIfThere(`by https${skippedWithoutOpenssl}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'council-webhook-tls-'));
  let certificate: ReturnType<typeof selfSignedCertificate>;
  let hook: Receiver;
  beforeAll(async () => {
    certificate = selfSignedCertificate(folder, 'DNS:hooks.example.com,IP:127.0.0.1');
    hook = await startReceiver((_, response) => response.end(), {
      key: certificate.key,
      cert: certificate.pem,
    });
  });
  afterAll(async () => {
    await hook.close();
    rmSync(folder, { recursive: true });
  });

  const send = (host: string, options: Partial<WebhookSenderOptions> = {}) =>
    createWebhookSender({
      policy: 'any',
      resolve: async () => ['127.0.0.1'],
      authorities: certificate.pem,
      ...options,
    })({ url: `https://${host}:${hook.port}/hook`, headers: {}, body: '{}' });

  test('the connection goes to the resolved address, and TLS asks for the name', async () => {
    expect(await send('hooks.example.com')).toMatchObject({ kind: 'answered', status: 200 });
    const last = hook.received.at(-1);
    expect(last).toMatchObject({ servername: 'hooks.example.com', path: '/hook' });
    expect(last?.headers.host).toBe(`hooks.example.com:${hook.port}`);
  });

  test('an address in place of a name needs a certificate for the address', async () => {
    expect(await send('127.0.0.1')).toMatchObject({ kind: 'answered', status: 200 });
    expect(await send('[::1]')).toMatchObject({ kind: 'failed' });
  });

  test('a certificate for another name, or of nobody that is trusted, gets no request', async () => {
    const before = hook.received.length;
    expect(await send('other.example.com')).toEqual({ kind: 'failed', reason: notTrusted });
    const trusting = createWebhookSender({ policy: 'any', resolve: async () => ['127.0.0.1'] });
    const url = `https://hooks.example.com:${hook.port}/`;
    expect(await trusting({ url, headers: {}, body: '{}' })).toEqual({ kind: 'failed', reason: notTrusted });
    expect(hook.received).toHaveLength(before);
  });

  test('NODE_TLS_REJECT_UNAUTHORIZED does not switch the check off', async () => {
    const earlier = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await send('other.example.com')).toEqual({ kind: 'failed', reason: notTrusted });
    } finally {
      if (earlier === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = earlier;
    }
  });

  test('a server without TLS gets no request', async () => {
    const plain = await startReceiver((_, response) => response.end());
    const sender = createWebhookSender({ policy: 'any' });
    const url = `https://127.0.0.1:${plain.port}/`;
    expect(await sender({ url, headers: {}, body: '{}' })).toMatchObject({ kind: 'failed' });
    expect(plain.received).toHaveLength(0);
    await plain.close();
  });
});
