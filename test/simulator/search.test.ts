import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Simulator, startSimulator } from '../../simulator/simulator.js';
import {
  blockedHosts,
  readFound,
  type SearchVendor,
  searchBody,
  searchPrompt,
  searchVendors,
  sendSearch,
} from './search-requests.js';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator();
});
afterEach(() => simulator.clearFaults());
afterAll(() => simulator.close());

async function found(vendor: SearchVendor, body?: unknown) {
  const { status, text } = await sendSearch(simulator, vendor, body);
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ');
  return readFound(vendor, text);
}

async function bodyOf(vendor: SearchVendor, body?: unknown) {
  return JSON.parse((await sendSearch(simulator, vendor, body)).text);
}

const planted = [
  {
    url: 'https://a.example/x?utm_source=openai',
    title: 'Ä',
    text: 'Größe 🎈 – “naïve” 東京.',
    page_age: null,
  },
  {
    url: 'https://user:pw@b.example/',
    title: null,
    text: 'Second \u{e200}cite\u{e201} fact.',
    page_age: '3 days ago',
  },
];

describe.each(searchVendors)('a simulated search at %s', vendor => {
  test('is recognised by its tool, and is logged with its stage and its blocked hosts', async () => {
    await found(vendor);
    expect(simulator.calls.at(-1)).toMatchObject({
      vendor,
      stage: 'research',
      system: 'SYS',
      user: searchPrompt,
      limits: { maxOutputTokens: 6_000, effort: 'low', thinkingBudgetTokens: null },
      blockedHosts: vendor === 'google' ? [] : blockedHosts,
    });
  });

  test('finds 3 to 5 labelled statements on made-up pages, one of them without a page, always the same', async () => {
    const { text, citations } = await found(vendor);
    expect(await found(vendor)).toEqual({ text, citations });
    const statements = text.match(/Simulated: /g)?.length ?? 0;
    expect(statements).toBeGreaterThanOrEqual(3);
    expect(statements).toBeLessThanOrEqual(5);
    expect(citations).toHaveLength(statements - 1);
    const host = vendor === 'google' ? 'vertexaisearch.cloud.google.com' : '.example.org';
    for (const { url } of citations) expect(new URL(url ?? '').hostname).toMatch(new RegExp(`${host}$`));
    expect(text.replaceAll(/\[\[\d\]\]|https?:\/\/\S+/g, '')).not.toMatch(/\d/);
  });

  test('cites where the vendor cites, also behind characters of more than one byte or unit', async () => {
    simulator.setFault({ stage: 'research' }, { kind: 'finds', sources: planted });
    const { text, citations } = await found(vendor);
    for (const each of planted) expect(text).toContain(each.text);
    const [first, second] = {
      openai: [
        '([a.example](https://a.example/x?utm_source=openai))',
        '([b.example](https://user:pw@b.example/))',
      ],
      xai: ['[[1]](https://a.example/x?utm_source=openai)', '[[2]](https://user:pw@b.example/)'],
      openrouter: [
        '[a.example](https://a.example/x?utm_source=openai)',
        '[b.example](https://user:pw@b.example/)',
      ],
      anthropic: planted.map(each => each.text),
      google: planted.map(each => each.text),
    }[vendor];
    expect(citations.map(({ covers }) => covers)).toEqual([first, second]);
    if (vendor !== 'google') expect(citations.map(({ url }) => url)).toEqual(planted.map(({ url }) => url));
  });

  test('reports searches without sources, and says exactly the given text', async () => {
    simulator.setFault({ stage: 'research', times: 1 }, { kind: 'no_sources' });
    const unsourced = await found(vendor);
    expect(unsourced.text).toContain('Simulated: ');
    expect(unsourced.citations.filter(({ url }) => url !== undefined)).toEqual([]);
    simulator.setFault({ stage: 'research' }, { kind: 'says', text: 'Nothing was found.' });
    expect(await found(vendor)).toEqual({ text: 'Nothing was found.', citations: [] });
  });

  test('refuses its list of blocked hosts by name, and searches without it', async () => {
    simulator.setFault({}, { kind: 'block_list_refused' });
    const { status, text } = await sendSearch(simulator, vendor);
    if (vendor === 'google') return expect(status).toBe(200);
    expect(status).toBe(400);
    expect(text).toMatch(/\b(blocked|excluded)_domains\b/);
    await found(vendor, searchBody(vendor, []));
    expect(simulator.calls.at(-1)).toMatchObject({ blockedHosts: [], fault: null });
  });
});

describe('a simulated search', () => {
  test('is paused once by Anthropic, and continued with what was returned unchanged', async () => {
    const whole = await found('anthropic');
    simulator.setFault({}, { kind: 'pause_turn' });
    await found('openai');
    const paused = await bodyOf('anthropic');
    expect(paused.stop_reason).toBe('pause_turn');
    expect(paused.usage.server_tool_use.web_search_requests).toBeGreaterThan(0);

    const continued = (content: unknown) => {
      const { messages, ...rest } = searchBody('anthropic');
      return { ...rest, messages: [...list(messages), { role: 'assistant', content }] };
    };
    const rest = await bodyOf('anthropic', continued(paused.content));
    expect(rest.stop_reason).toBe('end_turn');
    expect(rest.usage.server_tool_use.web_search_requests).toBe(0);
    const content = [...paused.content, ...rest.content];
    expect(readFound('anthropic', JSON.stringify({ content }))).toEqual(whole);

    const changed = JSON.parse(JSON.stringify(paused.content).replaceAll('Simulated page', 'Another page'));
    expect((await sendSearch(simulator, 'anthropic', continued(changed))).status).toBe(400);
  });

  test('can fail in the tool, with status 200 and no search to pay', async () => {
    simulator.setFault({ stage: 'research' }, { kind: 'tool_error', code: 'too_many_requests' });
    const message = await bodyOf('anthropic');
    const result = { type: 'web_search_tool_result_error', error_code: 'too_many_requests' };
    expect(message.content[1]).toMatchObject({ type: 'web_search_tool_result', content: result });
    expect(message.usage.server_tool_use.web_search_requests).toBe(0);
    for (const vendor of ['openai', 'xai'] as const) {
      const { output } = await bodyOf(vendor);
      expect(output[1]).toMatchObject({ type: 'web_search_call', status: 'failed' });
    }
    for (const vendor of searchVendors) expect((await found(vendor)).citations).toEqual([]);
  });

  test('ends as at the other stages: truncated, refused, filtered, empty', async () => {
    const endings = {
      truncated: [
        { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
        { stop_reason: 'max_tokens' },
      ],
      refusal: [
        { status: 'completed', output: expect.arrayContaining([refusal]) },
        { stop_reason: 'refusal' },
      ],
      content_filter: [
        { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
        { type: 'error' },
      ],
      empty: [{ status: 'completed' }, { stop_reason: 'end_turn' }],
    } as const;
    for (const kind of ['truncated', 'refusal', 'content_filter', 'empty'] as const) {
      simulator.clearFaults();
      simulator.setFault({ stage: 'research' }, { kind });
      const [responses, message] = endings[kind];
      expect(await bodyOf('openai')).toMatchObject(responses);
      expect(await bodyOf('xai')).toMatchObject(responses);
      expect(await bodyOf('anthropic')).toMatchObject(message);
    }
  });

  test('reports as many searches as a fault sets, whatever the request allows', async () => {
    simulator.setFault({}, { kind: 'finds', sources: [], prose: 'Prose.', searches: 7 });
    const bodies = await Promise.all(searchVendors.map(vendor => bodyOf(vendor)));
    const [openai, xai, anthropic, google, openrouter] = bodies;
    const calls = openai.output.filter((item: { type: string }) => item.type === 'web_search_call');
    expect(calls).toHaveLength(7);
    expect(xai.usage.server_side_tool_usage_details.web_search_calls).toBe(7);
    expect(anthropic.usage.server_tool_use.web_search_requests).toBe(7);
    expect(google.candidates[0].groundingMetadata.webSearchQueries).toHaveLength(7);
    expect(openrouter.usage.server_tool_use.web_search_requests).toBe(7);
  });

  test('takes no fault that only an answer with a schema can have, and keeps its count', async () => {
    simulator.setFault({ times: 1 }, { kind: 'wrong_sum' });
    await found('openai');
    expect(simulator.calls.at(-1)?.fault).toBeNull();
  });
});

const refusal = expect.objectContaining({ content: [{ type: 'refusal', refusal: expect.any(String) }] });

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

describe('a search is rejected with 400', () => {
  const hosts = (count: number) => Array.from({ length: count }, (_, index) => `h${index}.example`);
  const openAi = (filters: object, more: object = {}) => ({
    ...searchBody('openai'),
    tools: [{ type: 'web_search', filters, ...more }],
  });
  const xai = (filters: object, more: object = {}) => ({
    ...searchBody('xai'),
    tools: [{ type: 'web_search', filters, ...more }],
  });
  const claude = (tool: object) => ({
    ...searchBody('anthropic'),
    tools: [{ type: 'web_search_20250305', name: 'web_search', ...tool }],
  });
  const format = { type: 'json_schema', schema: { type: 'object', additionalProperties: false } };

  test.each<[string, SearchVendor, object]>([
    ['with more than 100 hosts', 'openai', openAi({ blocked_domains: hosts(101) })],
    ['with a host that has a scheme', 'openai', openAi({ blocked_domains: ['https://a.example'] })],
    ['with a filter of the other vendor', 'openai', openAi({ excluded_domains: hosts(1) })],
    ['with an unknown field', 'openai', { ...searchBody('openai'), max_tokens: 10 }],
    [
      'with an effort that excludes it',
      'openai',
      { ...searchBody('openai'), reasoning: { effort: 'minimal' } },
    ],
    ['with a schema', 'openai', { ...searchBody('openai'), text: { format } }],
    ['without a tool', 'openai', { ...searchBody('openai'), tools: [] }],
    ['with more than 5 hosts', 'xai', xai({ excluded_domains: hosts(6) })],
    ['with both lists', 'xai', xai({ excluded_domains: hosts(1), allowed_domains: hosts(1) })],
    ['with a filter of the other vendor', 'xai', xai({ blocked_domains: hosts(1) })],
    ['with a field of the other vendor', 'xai', xai({}, { search_context_size: 'low' })],
    ['with both lists', 'anthropic', claude({ blocked_domains: hosts(1), allowed_domains: hosts(1) })],
    ['with an unknown field', 'anthropic', claude({ excluded_domains: hosts(1) })],
    ['with a schema', 'anthropic', { ...searchBody('anthropic'), output_config: { format } }],
    [
      'with a schema',
      'google',
      {
        ...searchBody('google'),
        generationConfig: { maxOutputTokens: 10, responseMimeType: 'application/json', responseSchema: {} },
      },
    ],
    [
      'with both lists',
      'openrouter',
      {
        ...searchBody('openrouter'),
        tools: [
          {
            type: 'openrouter:web_search',
            parameters: { allowed_domains: hosts(1), excluded_domains: hosts(1) },
          },
        ],
      },
    ],
  ])('%s at %s', async (_, vendor, body) => {
    expect((await sendSearch(simulator, vendor, body)).status).toBe(400);
  });
});
