import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { createOpenApi } from '../../../api/openapi/document.js';
import { send } from '../../support/service/send.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService({ worker: false });

describe('/openapi.json', () => {
  test('is public and has the version of the running service', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const answer = await send(`${service.url}/openapi.json`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(createOpenApi(version))));
  });

  test('can be cached and revalidated', async () => {
    const url = `${service.url}/openapi.json`;
    const { headers } = await send(url);
    expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    const etag = headers.get('etag') ?? '';
    expect(await send(url, { headers: { 'if-none-match': etag } })).toMatchObject({
      status: 304,
      body: null,
    });
    expect(await send(url, { headers: { 'if-none-match': '"other"' } })).toMatchObject({ status: 200 });
  });
});
