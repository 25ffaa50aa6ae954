import { describe, expect, test } from '@jest/globals';
import { callerDocuments } from '../../../api/documents/caller-documents.js';
import { servedText } from '../../../api/documents/served-text.js';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { send } from '../../support/service/send.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService({ worker: false, pages: await loadPageRenderer() });
const served = callerDocuments.map(({ servedAs }) => `/docs/${servedAs}`);

const linksIn = (markdown: string) =>
  [...withoutCode(markdown).matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
const withoutCode = (markdown: string) => markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** The anchors of the headings, as viewers of Markdown make them. */
const anchorsOf = (markdown: string) =>
  [...withoutCode(markdown).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.each(served)('%s', path => {
  test('is the text of the repository, for any reader and cache', async () => {
    const { status, headers, body } = await send(service.url + path);
    expect(status).toBe(200);
    const type = path.endsWith('.md') ? 'text/markdown' : 'text/plain';
    expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(body).not.toContain('127.0.0.1:3000');
    const again = await send(service.url + path, {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect({ status: again.status, body: again.body }).toEqual({ status: 304, body: null });
    expect((await send(service.url + path, { method: 'HEAD' })).status).toBe(200);
  });

  test('leads only to what is there', async () => {
    const { body } = await send(service.url + path);
    for (const link of path.endsWith('.md') ? linksIn(body) : []) {
      if (/^https?:/.test(link)) continue;
      const [target = '', anchor] = link.split('#');
      expect([link, /^(\/docs\/|$)/.test(target)]).toEqual([link, true]);
      const { status, body: text } = await send(service.url + (target === '' ? path : target));
      expect([link, status]).toEqual([link, 200]);
      if (anchor !== undefined) expect(anchorsOf(text)).toContain(anchor);
    }
  });
});

describe('/llms.txt', () => {
  test('has the form of llmstxt.org: a title, a summary, and lists of links with notes', async () => {
    const { headers, body } = await send(`${service.url}/llms.txt`);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(body).toMatch(/^# \S.*\n\n> \S.*\n\n/);
    const [, ...sections]: string[] = body.split(/^## /m);
    expect(sections.length).toBeGreaterThan(3);
    for (const section of sections)
      expect(section).toMatch(/^\S.*\n\n(- \[[^\]]+\]\(https?:\/\/\S+\): \S.*\n)+\n?$/);
  });

  test('names every document, the OpenAPI document and the tools, by addresses that answer', async () => {
    const links = linksIn((await send(`${service.url}/llms.txt`)).body);
    expect(new Set(links.map(link => link.slice(service.url.length)))).toEqual(
      new Set([...served, '/openapi.json', '/docs', '/mcp']),
    );
    for (const link of links)
      expect([link, (await send(link)).status]).toEqual([link, link.endsWith('/mcp') ? 405 : 200]);
  });
});

test.each(['/docs/configuration.md', '/docs/nothing.md', '/docs/../package.json', '/docs/examples'])(
  '%s is not served',
  async path => {
    expectProblem(await send(service.url + path), 'not_found');
  },
);

test('what is not served loses its link and keeps its words, and code stays as it is', () => {
  const text = [
    'See [the record](record.md#proof), [ADR 8](adr/0008-x.md) and [Temporal](https://temporal.io).',
    '',
    '![A picture](images/a.png)',
    '',
    '```sh',
    'echo "[not a link](record.md)" http://127.0.0.1:3000',
    '```',
    '',
  ].join('\n');
  expect(servedText('docs/using-the-api.md', text, 'https://council.test')).toBe(
    [
      'See [the record](/docs/record.md#proof), ADR 8 and [Temporal](https://temporal.io).',
      '',
      '```sh',
      'echo "[not a link](record.md)" https://council.test',
      '```',
      '',
    ].join('\n'),
  );
});
