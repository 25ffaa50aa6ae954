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

/** Bytes of an answer as they are sent to whoever takes gzip. */
function bytesSent(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(service.url + path, { headers: { 'accept-encoding': 'gzip' } }, response => {
      let bytes = 0;
      response.on('data', (piece: Buffer) => (bytes += piece.length));
      response.on('end', () => resolve(bytes));
    }).on('error', reject);
  });
}

describe('the first page', () => {
  test('needs less than 200 KB of script', async () => {
    const html = await (await fetch(service.url)).text();
    const scripts = [...html.matchAll(/<script[^>]+src="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(scripts.length).toBeGreaterThan(0);
    const sizes = await Promise.all(scripts.map(bytesSent));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(scriptKilobytesMax * 1_000);
  });

  test('loads nothing from anywhere else, and holds no script of its own', async () => {
    const response = await fetch(service.url);
    const html = await response.text();
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none';script-src 'self'");
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
    const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)([^>]*)>/g)].map(([, attributes]) => attributes);
    expect(inline).toEqual([' type="application/json" id="page-data"']);
    expect(html).not.toMatch(/\son[a-z]+="|\sstyle="/);
  });

  test('is there for whoever does not say what they take, and JSON for who asks for nothing else', async () => {
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

test('a path that does not exist is a page for browsers and a problem for programs, and 404 for both', async () => {
  const page = await fetch(`${service.url}/nowhere`, { headers: asBrowser });
  expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('There is nothing here')]);
  const problem = await fetch(`${service.url}/nowhere`);
  expect([problem.status, await problem.json()]).toEqual([
    404,
    expect.objectContaining({ code: 'not_found' }),
  ]);
});

test('what a search holds cannot leave the data that the page is handed over in', async () => {
  const evil = '</script><script>alert(1)</script>';
  const asked = `${service.url}/?search=${encodeURIComponent(evil)}`;
  const html = await (await fetch(asked, { headers: asBrowser })).text();
  expect(html).not.toContain('<script>alert');
});

test('files of the page are kept for ever, and the page itself is asked for anew', async () => {
  const page = await fetch(service.url);
  const [, asset = ''] = /src="([^"]+)"/.exec(await page.text()) ?? [];
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const file = await fetch(service.url + asset);
  expect(file.headers.get('cache-control')).toMatch(/immutable/);
  expect(await file.text()).not.toBe('');
});
