import { describe, expect, test } from '@jest/globals';
import { failureOf } from '../../failure-of.js';
import { searchQuestion } from '../../questions.js';
import { messageItem, ok, response, searchCall, useSearchServers } from './search-server.js';

type Vendor = 'gpt' | 'grok';

const serve = useSearchServers();

async function search(vendor: Vendor, body: unknown) {
  const { providers } = await serve(ok(body));
  return providers[vendor].search(searchQuestion());
}

/** The passages that are cited, and the pages. */
async function cited(vendor: Vendor, body: unknown): Promise<[string, string, string | null][]> {
  const { text, citations } = await search(vendor, body);
  return citations.map(({ start, end, url, title, marks, pageAge }) => {
    expect([marks, pageAge]).toEqual(['marker', null]);
    return [text.slice(start, end), url, title];
  });
}

const a = 'https://apnews.com/a';
const b = 'https://example.org/b_(c)';

function citation(start_index: unknown, end_index: unknown, url: unknown = a, title: unknown = null) {
  return { type: 'url_citation', start_index, end_index, url, title };
}

describe('the citations of OpenAI', () => {
  test('are counted in code points, not in UTF-16 code units', async () => {
    const text = '♟️ 🏆🏆 Ada führt ([a](u)).';
    const start = Array.from(text).indexOf('(');
    const body = response(text, [citation(start, start + 8)]);
    expect(await cited('gpt', body)).toEqual([['([a](u))', a, null]]);
    expect(text.slice(start, start + 8)).not.toBe('([a](u))');
  });

  test('of several parts and messages are moved to where their part begins', async () => {
    const part = (text: string, at: string, url: string) => ({
      type: 'output_text',
      text,
      annotations: [citation(Array.from(text).indexOf(at), Array.from(text).indexOf(at) + 1, url)],
    });
    const messages = [
      messageItem(part('🏆 Ada 1', '1', a), part(' and 🏆 Bela 2.', '2', b)),
      { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] },
      messageItem(part('Chen 3.', '3', a)),
    ];
    const body = response('', [], { output: [searchCall('search'), ...messages] });
    expect((await search('gpt', body)).text).toBe('🏆 Ada 1 and 🏆 Bela 2.\n\nChen 3.');
    expect(await cited('gpt', body)).toEqual([
      ['1', a, null],
      ['2', b, null],
      ['3', a, null],
    ]);
  });

  test('that name no page or no place in the text are left out', async () => {
    const unusable = [
      { ...citation(0, 3), url: undefined },
      citation(0, 3, ''),
      citation(0, 3, 7),
      citation(0, 0),
      citation(3, 1),
      citation(-1, 3),
      citation(0, 99),
      citation(0.5, 3),
      citation(undefined, undefined),
      citation('0', '3'),
      { type: 'file_citation', file_id: 'x' },
      null,
    ];
    const body = response('Ada leads.', [...unusable, citation(0, 3, a, 7)]);
    expect(await cited('gpt', body)).toEqual([['Ada', a, null]]);
  });

  test('do not include links that only the model wrote', async () => {
    expect(await cited('gpt', response(`Ada leads [[1]](${a}).`, []))).toEqual([]);
  });

  test('leave private-use characters in the text, so that the offsets hold', async () => {
    const marker = '\ue200cite\ue202turn0search0\ue201';
    const body = response(`Ada leads ${marker}.`, [citation(10, 10 + marker.length)]);
    expect(await cited('gpt', body)).toEqual([[marker, a, null]]);
  });
});

describe('the citations of xAI', () => {
  test('are the numbered links of pages that it names in annotations, citations or sources', async () => {
    const text = `Ada 🏆 leads [[1]](${a}) and Bela [[2]](${b}), Chen [[3]](https://apnews.com/c)[[4]](https://made.up/).`;
    const body = response(text, [citation(0, 0, a, 'Chess')], {
      citations: [b, 'https://example.org/unused'],
      output: [
        searchCall('search', ['https://apnews.com/c']),
        messageItem({ type: 'output_text', text, annotations: [citation(0, 0, a, 'Chess')] }),
      ],
    });
    expect(await cited('grok', body)).toEqual([
      [`[[1]](${a})`, a, 'Chess'],
      [`[[2]](${b})`, b, null],
      ['[[3]](https://apnews.com/c)', 'https://apnews.com/c', null],
    ]);
  });

  test('without a link are at the range of their annotation', async () => {
    const body = response('Ada 🏆 leads [1].', [citation(12, 15, a), citation(0, 0, b)]);
    expect(await cited('grok', body)).toEqual([['[1]', a, null]]);
  });

  test.each(['1', ' ', a])('with the title %j have no title', async title => {
    const body = response(`Ada leads [[1]](${a}).`, [citation(10, 14, a, title)]);
    expect(await cited('grok', body)).toEqual([[`[[1]](${a})`, a, null]]);
  });
});

describe('the searches', () => {
  const calls = ['search', 'open_page', 'search', 'find_in_page', null].map(type => searchCall(type));
  const prose = messageItem({ type: 'output_text', text: 'Ada leads.' });
  const output = [...calls, { type: 'x_search_call', action: { type: 'search' } }, prose];
  const tokens = { input_tokens: 9, output_tokens: 5, total_tokens: 14 };

  test.each<[string, Vendor, object, number]>([
    ['OpenAI are the calls that searched, also beyond the maximum', 'gpt', {}, 3],
    ['xAI are those that it bills', 'grok', { server_side_tool_usage_details: { web_search_calls: 7 } }, 7],
    ['xAI are all its tools without details', 'grok', { num_server_side_tools_used: 6 }, 6],
    ['xAI are counted without either', 'grok', {}, 3],
    ['xAI can be none', 'grok', { server_side_tool_usage_details: { web_search_calls: 0 } }, 0],
  ])('of %s', async (_, vendor, usage, searches) => {
    const body = response('', [], { output, usage: { ...tokens, ...usage } });
    expect(await search(vendor, body)).toMatchObject({ searches, inputTokens: 9, outputTokens: 5 });
  });

  test('of an answer without usage are known, its tokens are not', async () => {
    const body = response('', [], { output, usage: null });
    expect(await search('gpt', body)).toMatchObject({ searches: 3, inputTokens: 0, outputTokens: 0 });
  });

  test('leave hidden reasoning in the tokens where the vendor counts it apart', async () => {
    const usage = { input_tokens: 9, output_tokens: 2, total_tokens: 14 };
    expect(await search('grok', response('Ada.', [], { usage }))).toMatchObject({ outputTokens: 5 });
  });
});

const cutOff = { kind: 'invalid_answer', truncated: true };
const refused = { kind: 'refused', truncated: false };
const invalid = { kind: 'invalid_answer', truncated: false };
const down = { kind: 'unavailable', truncated: false };
const incomplete = (reason?: string) => ({ status: 'incomplete', incomplete_details: { reason } });
const withItem = (...items: readonly object[]) => ({ output: [searchCall('search'), ...items] });

describe.each(['gpt', 'grok'] as const)('%s: an unusable answer', vendor => {
  test.each<[string, object, object]>([
    ['that was cut off', incomplete('max_output_tokens'), cutOff],
    ['that was filtered', incomplete('content_filter'), refused],
    ['that is incomplete for another reason', incomplete(), invalid],
    ['that is still in progress', { status: 'in_progress' }, invalid],
    ['with a refusal', withItem(messageItem({ type: 'refusal', refusal: 'I cannot help.' })), refused],
    ['without text', withItem(messageItem({ type: 'output_text', text: ' \n', annotations: [] })), invalid],
    ['without a message', withItem(), invalid],
    ['that failed at the vendor', { status: 'failed', error: { code: 'server_error', message: 'x' } }, down],
    ['with a prompt that was rejected', { status: 'failed', error: { code: 'invalid_prompt' } }, refused],
  ])('%s is classified, and reports tokens and searches', async (_, changes, expected) => {
    const failure = await failureOf(search(vendor, response('Ada leads.', [], changes)));
    const usage = { modelId: 'gpt-x', inputTokens: 9, outputTokens: 5, searches: 1 };
    expect(failure).toMatchObject({ ...expected, retryable: false, status: 200, usage });
  });
});
