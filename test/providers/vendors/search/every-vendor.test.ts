import { describe, expect, test } from '@jest/globals';
import { type Adapter, adapters } from '../../catalogue.js';
import { searchQuestion } from '../../questions.js';
import {
  chat,
  findings,
  found,
  location,
  message,
  ok,
  response,
  results,
  useSearchServers,
} from './search-server.js';

const serve = useSearchServers();

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
});
