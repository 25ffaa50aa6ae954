import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { createOpenApi } from '../../../api/openapi/document.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
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

describe('/docs', () => {
  const read = (path: string) => fetch(service.url + path);

  test('serves a page and its files', async () => {
    const page = await read('/docs');
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    const files = [...(await page.text()).matchAll(/(?:href|src)="(\/docs\/[^"]+)"/g)].map(
      ([, path]) => path,
    );
    expect(files).toHaveLength(5);
    for (const path of files) {
      const file = await read(path ?? '');
      expect({ path, status: file.status }).toEqual({ path, status: 200 });
      expect(file.headers.get('cache-control')).toMatch(/max-age=/);
      await file.arrayBuffer();
    }
  });

  test.each([
    'package.json',
    'index.js',
    'swagger-ui-bundle.js.map',
    'swagger-initializer.js',
    '..%2Fapp.ts',
  ])('serves no %s', async file => {
    expect((await send(`${service.url}/docs/${file}`)).status).toBe(404);
  });

  test('allows no other origins and no inline scripts', async () => {
    const policy = (await read('/docs/')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(policy).toContain("img-src 'self' data:");
    const elsewhere = (await read('/healthz')).headers.get('content-security-policy') ?? '';
    expect(elsewhere).not.toContain('data:');
  });
});

describeInBrowser('the reference', browser => {
  test('shows every section, calls no other host, and links to the start page', async () => {
    const { page, troubles } = await browser.visit(`${service.url}/docs`);
    const hosts = new Set<string>();
    page.on('request', request => hosts.add(new URL(request.url()).host));
    await page.reload();
    await page.locator('#operations-Reports-createReport').waitFor();
    expect(await page.locator('.opblock-tag').count()).toBe(9);
    // Pictures that the style sheet carries within itself have no host.
    expect([...hosts].filter(Boolean)).toEqual([new URL(service.url).host]);
    expect(await page.getByRole('link', { name: 'Council Report Service' }).getAttribute('href')).toBe('/');
    expect(troubles).toEqual([]);
  });

  test('sends live requests with the entered key and does not store the key', async () => {
    const caller = await service.newCaller(321);
    const { page, troubles } = await browser.visit(`${service.url}/docs`);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.locator('.auth-container input').first().fill(caller.key);
    await page.locator('.auth-container button.authorize').first().click();
    await page.getByRole('button', { name: 'Close' }).first().click();
    const operation = page.locator('#operations-Credits-getBalance');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table').waitFor();
    expect(await operation.locator('.live-responses-table').innerText()).toContain('"balance_credits": 321');
    expect(troubles).toEqual([]);
    const kept = await page.evaluate<string>(
      'JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])',
    );
    expect(kept).not.toContain(caller.key);
  });
});
