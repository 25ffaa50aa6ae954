import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadPageRenderer } from '../../api/pages/page-renderer.js';
import { startTestService, type TestService } from '../support/service/test-service.js';

const scriptKilobytesMax = 200;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ pages: await loadPageRenderer(), worker: false });
});
afterAll(() => service.stop());

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** Bytes of a response as sent with gzip. */
function bytesSent(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(service.url + path, { headers: { 'accept-encoding': 'gzip' } }, response => {
      let bytes = 0;
      response.on('data', (piece: Buffer) => (bytes += piece.length));
      response.on('end', () => resolve(bytes));
    }).on('error', reject);
  });
}

describe('the home page', () => {
  test('loads less than 200 KB of scripts', async () => {
    const html = await (await fetch(service.url)).text();
    const scripts = [...html.matchAll(/<script[^>]+src="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(scripts.length).toBeGreaterThan(0);
    const sizes = await Promise.all(scripts.map(bytesSent));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(scriptKilobytesMax * 1_000);
  });

  test('loads nothing from other hosts and has no inline script', async () => {
    const response = await fetch(service.url);
    const html = await response.text();
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none';script-src 'self'");
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
    const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)([^>]*)>/g)].map(([, attributes]) => attributes);
    expect(inline).toEqual([' type="application/json" id="page-data"']);
    expect(html).not.toMatch(/\son[a-z]+="|\sstyle="/);
  });

  test('is served for Accept: */*, and a JSON problem for Accept: application/json', async () => {
    for (const [accept, status, type] of [
      ['*/*', 200, /text\/html/],
      ['application/json', 404, /problem\+json/],
    ] as const) {
      const response = await fetch(service.url, { headers: { accept } });
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toMatch(type);
      await response.text();
    }
  });
});

test('an unknown path answers 404, with a page for browsers and a problem for programs', async () => {
  const page = await fetch(`${service.url}/nowhere`, { headers: asBrowser });
  expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('Page not found')]);
  const problem = await fetch(`${service.url}/nowhere`);
  expect([problem.status, await problem.json()]).toEqual([
    404,
    expect.objectContaining({ code: 'not_found' }),
  ]);
});

test('a search text cannot break out of the script element that carries the data', async () => {
  const evil = '</script><script>alert(1)</script>';
  const url = `${service.url}/?search=${encodeURIComponent(evil)}`;
  const html = await (await fetch(url, { headers: asBrowser })).text();
  expect(html).not.toContain('<script>alert');
});

test('assets are cached forever, and the page itself is revalidated', async () => {
  const page = await fetch(service.url);
  const [, asset = ''] = /src="([^"]+)"/.exec(await page.text()) ?? [];
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const file = await fetch(service.url + asset);
  expect(file.headers.get('cache-control')).toMatch(/immutable/);
  expect(await file.text()).not.toBe('');
});
