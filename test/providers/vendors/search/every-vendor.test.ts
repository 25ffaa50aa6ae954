import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { giveUpAfterMs, until } from '../../../support/until.js';
import { type Adapter, adapters, secretKey } from '../../catalogue.js';
import { failureOf } from '../../failure-of.js';
import { searchQuestion } from '../../questions.js';
import { json } from '../raw-server.js';
import {
  chat,
  findings,
  found,
  location,
  message,
  ok,
  response,
  results,
  startSearchServer,
} from './search-server.js';

let stop: () => Promise<void> = async () => undefined;
afterEach(() => stop());

async function serve(...answers: readonly RequestListener[]) {
  const server = await startSearchServer(...answers);
  stop = server.close;
  return server;
}

/** Cites each of forty pages, and one without an address, for the one statement of a text. */
function fortySources(adapter: Adapter): unknown {
  const urls = [...Array.from({ length: 40 }, (_, index) => `https://example.org/${index}`), undefined];
  const text = 'Ada leads.';
  const annotations = urls.map(url => ({ type: 'url_citation', start_index: 4, end_index: 9, url }));
  const pages = urls.map(uri => ({ web: { uri, title: 'example.org' } }));
  const bodies: Record<Adapter, unknown> = {
    gpt: response(text, annotations),
    grok: response(text, annotations),
    openrouter: chat(
      text,
      annotations.map(({ type, ...url_citation }) => ({ type, url_citation })),
    ),
    claude: message(
      [results(), { type: 'text', text, citations: urls.map(url => location(url, null)) }],
      'end_turn',
    ),
    gemini: {
      candidates: [
        {
          ...findings.gemini.candidates[0],
          groundingMetadata: {
            groundingChunks: pages,
            groundingSupports: [
              { segment: { startIndex: 4, endIndex: 9 }, groundingChunkIndices: pages.map((_, at) => at) },
            ],
          },
        },
      ],
    },
  };
  return bodies[adapter];
}

describe.each(adapters)('%s', adapter => {
  test('returns text, citations, tokens and searches of one request', async () => {
    const { providers, bodies } = await serve(ok(findings[adapter]));
    const { text, citations, ...answer } = await providers[adapter].search(searchQuestion());
    expect(text).toMatch(/^Ada leads.*\.$/);
    expect(citations).toMatchObject([{ url: 'https://apnews.com/a', title: 'Chess' }]);
    const blockList = adapter === 'gemini' ? 'unsupported' : 'sent';
    expect(answer).toEqual({ modelId: expect.stringMatching(/-x$/), ...found, blockList });
    expect(bodies).toHaveLength(1);
  });

  test('keeps all of forty sources, and leaves out the one without an address', async () => {
    const { providers } = await serve(ok(fortySources(adapter)));
    const { citations } = await providers[adapter].search(searchQuestion());
    expect(citations.map(({ url }) => url)).toEqual(
      Array.from({ length: 40 }, (_, index) => `https://example.org/${index}`),
    );
  });

  test.each([
    ['null', null],
    ['a text', 'Bad gateway'],
    ['an empty object', {}],
    ['an error with status 200', { error: { message: 'x' } }],
  ])('treats a body that is %s as an invalid answer', async (_, body) => {
    const { providers } = await serve(ok(body));
    const failure = await failureOf(providers[adapter].search(searchQuestion()));
    expect(failure).toMatchObject({ kind: 'invalid_answer', retryable: false, usage: null });
  });

  test('treats an HTML body with a JSON content type as an invalid answer', async () => {
    const { providers } = await serve((_, reply) => {
      reply.writeHead(200, { 'content-type': 'application/json' }).end('<html></html>');
    });
    const failure = await failureOf(providers[adapter].search(searchQuestion()));
    expect(failure).toMatchObject({ kind: 'invalid_answer', retryable: false });
  });

  test.each([
    [400, 'unavailable', false],
    [401, 'unauthorised', false],
    [404, 'unavailable', false],
    [422, 'unavailable', false],
    [429, 'rate_limited', true],
    [503, 'unavailable', true],
  ] as const)('classifies HTTP %i as %s, retryable: %p, after one request', async (...row) => {
    const [status, kind, retryable] = row;
    const body = { error: { message: `Your filters are wrong: ${secretKey}` } };
    const { providers, bodies } = await serve(json(status, body));
    const failure = await failureOf(providers[adapter].search(searchQuestion()));
    expect(failure).toMatchObject({ kind, retryable, status, usage: null });
    expect(inspect(failure, { depth: null, showHidden: true })).not.toMatch(/filters|secret/);
    expect(bodies).toHaveLength(1);
  });

  test('marks a connection that broke in the middle of the body as retryable', async () => {
    const { providers } = await serve((request, reply) => {
      reply.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      reply.write('{"model":', () => request.socket.resetAndDestroy());
    });
    const failure = await failureOf(providers[adapter].search(searchQuestion()));
    expect(failure).toMatchObject({ kind: 'unavailable', retryable: true });
  });

  test('ends a cancelled search with the caller’s reason and closes the connection', async () => {
    const { providers, requests, bodies } = await serve(() => undefined);
    const caller = new AbortController();
    const reason = new Error('the report was cancelled');
    const answer = providers[adapter].search(searchQuestion({ signal: caller.signal })).catch(error => error);
    await until('the search reached the server', () => bodies.length > 0);
    caller.abort(reason);
    expect(await answer).toBe(reason);
    await until('the server saw the client go', () => requests[0]?.socket.destroyed === true);
    const late = providers[adapter].search(searchQuestion({ signal: caller.signal }));
    expect(await late.catch(error => error)).toBe(reason);
    expect(bodies).toHaveLength(1);
  });
});

/** All at once, because each waits for the whole time-out. */
test('every search times out on a body that never ends, and closes the connection', async () => {
  await Promise.all(
    adapters.map(async adapter => {
      const { providers, requests, close } = await startSearchServer((_, reply) => {
        reply.writeHead(200, { 'content-type': 'application/json' }).write('{');
      });
      const search = providers[adapter].search(searchQuestion({ timeoutMs: giveUpAfterMs }));
      expect(await failureOf(search)).toMatchObject({ kind: 'timed_out', retryable: true, status: null });
      await until('the connection was closed', () => requests[0]?.socket.destroyed === true);
      await close();
    }),
  );
});
