import { readdir, readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { loadPageRenderer } from '../../api/pages/page-renderer.js';
import { addressOf } from '../../api/routes/well-known.js';
import { usePageService } from '../support/browser/use-page-service.js';

/** On a first visit, as sent with gzip. */
const scriptBytesMax = 100_000;

const service = await usePageService({ worker: false });

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

/** The scripts that a document names. */
async function scriptsOf(path: string): Promise<string[]> {
  const html = await (await fetch(service.url + path)).text();
  return [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, script]) => script ?? '');
}

describe('the home page', () => {
  test('names all its scripts at once, less than 100 KB', async () => {
    const scripts = await scriptsOf('/');
    expect(scripts.length).toBeGreaterThan(1);
    const sizes = await Promise.all(scripts.map(bytesSent));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(scriptBytesMax);
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

test.each(['the data of the page', '<!--page-body-->', '$&', '</script>'])(
  'a search for %j, a place of the template, leaves the document whole',
  async search => {
    const html = await (await fetch(`${service.url}/?search=${encodeURIComponent(search)}`)).text();
    const [, data = ''] =
      /<script type="application\/json" id="page-data">([\s\S]*?)<\/script>/.exec(html) ?? [];
    const { queries } = JSON.parse(data);
    expect(queries.map(({ queryKey }: { queryKey: unknown[] }) => JSON.stringify(queryKey)).join()).toContain(
      JSON.stringify(search),
    );
    const escaped = search.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    expect(html).toContain(`value="${escaped}"`);
  },
);

test('robots.txt keeps private pages out of search engines; security.txt names a contact for long enough', async () => {
  const read = async (path: string) => {
    const response = await fetch(service.url + path);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    return response.text();
  };
  const robots = await read('/robots.txt');
  for (const path of ['/account', '/keys', '/webhooks', '/reports', '/batches'])
    expect(robots).toContain(`Disallow: ${path}\n`);
  expect(robots).not.toMatch(/Disallow: \/(events|track-record|sample)?$/m);
  const path = '/.well-known/security.txt';
  const expiry = async () => Date.parse(/^Expires: (.*)$/m.exec(await read(path))?.[1] ?? '');
  expect(await read(path)).toMatch(/^Contact: mailto:security@council\.test\nExpires: \S+Z\n/);
  expect(await read(path)).toContain(`Canonical: ${service.url}${path}\n`);
  const yearMs = 365 * 24 * 3_600_000;
  service.clock.offsetMs = 3 * yearMs;
  const left = (await expiry()) - (Date.now() + service.clock.offsetMs);
  service.clock.offsetMs = 0;
  expect([left > 0, left < yearMs]).toEqual([true, true]);
  expect(['Council <a@b.example>', 'a@b.example', 'Council', '', undefined].map(addressOf)).toEqual([
    'a@b.example',
    'a@b.example',
    null,
    null,
    null,
  ]);
});

test('no cache keeps the page of a browser with a cookie', async () => {
  for (const path of ['/', '/account', '/keys', '/reports', '/reports/1', '/track-record', '/nowhere']) {
    const visit = (headers: Record<string, string>) =>
      fetch(service.url + path, { headers: { ...asBrowser, ...headers } });
    const [known, unknown] = [await visit({ cookie: 'a=b' }), await visit({})];
    expect([path, known.headers.get('cache-control')]).toEqual([path, 'private, no-store']);
    expect([path, unknown.headers.get('cache-control')]).toEqual([path, 'no-cache']);
    for (const { headers } of [known, unknown]) expect(headers.get('vary')).toMatch(/Accept.*Cookie/);
  }
});

test('a path that a browser would take for another host is no page', async () => {
  for (const path of ['//', '//evil.example/'])
    expect((await fetch(service.url + path, { headers: asBrowser })).status).toBe(404);
});

test('assets are cached forever, and the page itself is revalidated', async () => {
  const page = await fetch(service.url);
  const [, asset = ''] = /src="([^"]+)"/.exec(await page.text()) ?? [];
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const file = await fetch(service.url + asset);
  expect(file.headers.get('cache-control')).toMatch(/immutable/);
  expect(await file.text()).not.toBe('');
});

describe('the scripts', () => {
  /** Source map → the source files in it. */
  const sourceMaps = async () => {
    const { assets } = await loadPageRenderer();
    const scripts = (await readdir(assets)).filter(name => name.endsWith('.js'));
    // The helpers of the bundler have no source.
    const written = scripts.filter(name => !name.startsWith('rolldown-runtime'));
    return Promise.all(written.map(async name => ({ name, map: await readMap(`${assets}/${name}.map`) })));
  };

  async function readMap(file: string): Promise<{ sources: string[]; sourcesContent: string[] }> {
    return JSON.parse(await readFile(file, 'utf8'));
  }

  test('have source maps, which are not served and which no script names', async () => {
    for (const { name } of await sourceMaps()) {
      const path = `${service.url}/assets/${name}`;
      expect(await (await fetch(path)).text()).not.toContain('sourceMappingURL');
      expect([name, (await fetch(`${path}.map`)).status]).toEqual([name, 404]);
    }
  });

  test('contain no schema library and nothing of the server', async () => {
    const maps = await sourceMaps();
    const sources = maps.flatMap(({ map }) => map.sources.map(source => source.replace(/^(\.\.\/)+/, '')));
    expect(sources).toEqual(expect.arrayContaining(['node_modules/react-dom/index.js', 'web/browser.tsx']));
    const foreign = sources.filter(
      source =>
        !/^(web|client|contract\/(product|report-text\/|callers\/(event|price|wait)-text)|council\/|purchase\/|node_modules\/(react|react-dom|react-router|scheduler|@tanstack)\/)/.test(
          source,
        ),
    );
    expect(foreign).toEqual([]);
    expect(sources.filter(source => /zod|shapes?\.ts$/.test(source))).toEqual([]);
    for (const { map } of maps) expect(map.sourcesContent).toHaveLength(map.sources.length);
  });
});
