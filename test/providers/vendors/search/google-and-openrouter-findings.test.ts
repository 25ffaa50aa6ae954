import { describe, expect, test } from '@jest/globals';
import { failureOf } from '../../failure-of.js';
import { searchQuestion } from '../../questions.js';
import { chat, ok, useSearchServers } from './search-server.js';

type Vendor = 'gemini' | 'openrouter';

const serve = useSearchServers();

async function search(vendor: Vendor, body: unknown) {
  const { providers } = await serve(ok(body));
  return providers[vendor].search(searchQuestion());
}

async function cited(vendor: Vendor, body: unknown) {
  const { text, citations } = await search(vendor, body);
  return citations.map(({ start, end, url, marks }) => [text.slice(start, end), url, marks]);
}

const a = 'https://apnews.com/a';
const redirect = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZ';
const tokens = { promptTokenCount: 4, toolUsePromptTokenCount: 5, candidatesTokenCount: 5 };
const bytes = (text: string) => Buffer.byteLength(text);

function grounded(parts: readonly object[], groundingMetadata: unknown, finishReason = 'STOP') {
  return {
    modelVersion: 'gemini-x',
    candidates: [{ finishReason, content: { parts }, groundingMetadata }],
    usageMetadata: tokens,
  };
}

function support(startIndex: number | undefined, endIndex: number, indices: unknown = [0], partIndex = 0) {
  return { segment: { startIndex, endIndex, partIndex }, groundingChunkIndices: indices };
}

const chunks = [{ web: { uri: redirect, title: 'apnews.com' } }, { web: { title: 'no address' } }, {}, null];

describe('the citations of Gemini', () => {
  test('are counted in bytes of one part, from the first byte if no start is stated', async () => {
    const [first, second] = ['Ada führt 🏆. Bela folgt. ', 'Chen gibt auf 🏳️.'];
    const parts = [{ text: 'Wer führt?', thought: true }, { text: first }, { text: second }];
    const groundingSupports = [
      support(undefined, bytes('Ada führt 🏆.'), [0], 1),
      support(bytes('Ada führt 🏆. '), bytes('Ada führt 🏆. Bela folgt.'), [0], 1),
      support(0, bytes(second), [0], 2),
    ];
    const body = grounded(parts, {
      groundingChunks: chunks,
      groundingSupports,
      webSearchQueries: ['a', 'b'],
    });
    expect(await cited('gemini', body)).toEqual([
      ['Ada führt 🏆.', redirect, 'statement'],
      ['Bela folgt.', redirect, 'statement'],
      [second, redirect, 'statement'],
    ]);
    const answer = await search('gemini', body);
    expect(answer.citations[0]).toMatchObject({ title: 'apnews.com', pageAge: null });
    expect(answer).toMatchObject({ searches: 2, inputTokens: 9, outputTokens: 5, blockList: 'unsupported' });
  });

  test('that point to no chunk, to no address or into the middle of a character are left out', async () => {
    const groundingSupports = [
      support(0, 3, [7]),
      support(0, 3, [-1]),
      support(0, 3, [1, 2, 3]),
      support(0, 3, 'x'),
      { segment: { endIndex: 3 } },
      support(0, 5),
      support(0, 99),
      support(3, 3),
      support(0, 3, [0], 4),
      { groundingChunkIndices: [0] },
      null,
    ];
    const body = grounded([{ text: 'Ada ü leads.' }], { groundingChunks: chunks, groundingSupports });
    expect(await cited('gemini', body)).toEqual([]);
  });

  test.each([undefined, null, {}, { groundingChunks: null, groundingSupports: 7 }, 'x'])(
    'are none with the grounding %j',
    async metadata => {
      const answer = await search('gemini', grounded([{ text: 'Ada leads.' }], metadata));
      expect(answer).toMatchObject({ text: 'Ada leads.', citations: [], searches: 0 });
    },
  );

  test.each([
    ['SAFETY', 'refused', false],
    ['MAX_TOKENS', 'invalid_answer', true],
    ['OTHER', 'invalid_answer', false],
  ])('of an answer with finish reason %s are lost, and its searches are billed', async (...row) => {
    const [reason, kind, truncated] = row;
    const metadata = { webSearchQueries: ['a', 'b', 'c'] };
    const failure = await failureOf(search('gemini', grounded([{ text: 'Ada' }], metadata, reason)));
    const usage = { modelId: 'gemini-x', inputTokens: 9, outputTokens: 5, searches: 3 };
    expect(failure).toMatchObject({ kind, truncated, usage });
  });
});

function citation(start_index?: number, end_index?: number, url: string | undefined = a) {
  return {
    type: 'url_citation',
    url_citation: { url, title: 'Chess', content: 'x', start_index, end_index },
  };
}

describe('the citations of OpenRouter', () => {
  test('are markers if the range holds a link, and statements if it holds words', async () => {
    const text = `🏆 Ada leads [Chess](${a}). Bela follows.`;
    const [link, words] = [Array.from(text).indexOf('['), Array.from(text).indexOf('B')];
    const body = chat(text, [
      citation(link, link + `[Chess](${a})`.length),
      citation(words, words + 'Bela follows'.length, 'https://example.org/b'),
    ]);
    expect(await cited('openrouter', body)).toEqual([
      [`[Chess](${a})`, a, 'marker'],
      ['Bela follows', 'https://example.org/b', 'statement'],
    ]);
  });

  test.each([
    [0, 0],
    [undefined, undefined],
  ])('without a range (%p to %p) are the links to their page', async (start, end) => {
    const text = `Ada leads [Chess](${a}), Bela [follows](https://made.up/) [Chess](${a}).`;
    const body = chat(text, [citation(start, end), citation(start, end, 'https://example.org/unused')]);
    expect(await cited('openrouter', body)).toEqual([
      [`[Chess](${a})`, a, 'marker'],
      [`[Chess](${a})`, a, 'marker'],
    ]);
  });

  test.each([
    ['as counted', { server_tool_use: { web_search_requests: 7 } }, [], 7],
    ['none', {}, [citation()], 1],
    ['at least one if there are pages without a count', { server_tool_use: null }, [citation()], 1],
    ['none without pages and count', { server_tool_use: undefined }, [], 0],
  ])('come with searches: %s', async (_, usage, annotations, searches) => {
    expect(await search('openrouter', chat('Ada leads.', annotations, usage))).toMatchObject({ searches });
  });

  test.each([
    ['a refusal', { message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }, 'refused'],
    ['a text cut off', { message: { content: 'Ada' }, finish_reason: 'length' }, 'invalid_answer'],
    ['no text', { message: { content: '', annotations: null }, finish_reason: 'stop' }, 'invalid_answer'],
    ['a failure in the choice', { message: { content: 'A' }, error: { code: 502 } }, 'unavailable'],
  ])('are lost with %s, and its searches are billed', async (_, choice, kind) => {
    const failure = await failureOf(search('openrouter', { ...chat('', []), choices: [choice] }));
    const usage = { modelId: 'openrouter-x', inputTokens: 9, outputTokens: 5, searches: 1 };
    expect(failure).toMatchObject({ kind, usage });
  });
});
