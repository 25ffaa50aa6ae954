import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Simulator, startSimulator } from '../../simulator/simulator.js';
import {
  blockedHosts,
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

async function bodyOf(vendor: SearchVendor, body?: unknown) {
  const { status, text } = await sendSearch(simulator, vendor, body);
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ');
  return JSON.parse(text);
}

// What an answer says and cites is read through the adapters: search-through-adapters.test.ts.
describe.each(searchVendors)('a simulated search at %s', vendor => {
  test('is recognised by its tool, and is logged with its stage and its blocked hosts', async () => {
    await bodyOf(vendor);
    expect(simulator.calls.at(-1)).toMatchObject({
      vendor,
      stage: 'research',
      system: 'SYS',
      user: searchPrompt,
      limits: { maxOutputTokens: 6_000, effort: 'low', thinkingBudgetTokens: null },
      blockedHosts: vendor === 'google' ? [] : blockedHosts,
    });
  });

  test('refuses its list of blocked hosts by name, and searches without it', async () => {
    simulator.setFault({}, { kind: 'block_list_refused' });
    const { status, text } = await sendSearch(simulator, vendor);
    if (vendor === 'google') return expect(status).toBe(200);
    expect(status).toBe(400);
    expect(text).toMatch(/\b(blocked|excluded)_domains\b/);
    await bodyOf(vendor, searchBody(vendor, []));
    expect(simulator.calls.at(-1)).toMatchObject({ blockedHosts: [], fault: null });
  });
});

describe('a simulated search', () => {
  test('is paused once by Anthropic, and continued with what was returned unchanged', async () => {
    const whole = await bodyOf('anthropic');
    simulator.setFault({}, { kind: 'pause_turn' });
    await bodyOf('openai');
    const paused = await bodyOf('anthropic');
    expect(paused.stop_reason).toBe('pause_turn');
    expect(paused.usage.server_tool_use.web_search_requests).toBeGreaterThan(0);

    const continued = (content: unknown) => {
      const { messages, ...rest } = searchBody('anthropic');
      return { ...rest, messages: [...Object(messages), { role: 'assistant', content }] };
    };
    const rest = await bodyOf('anthropic', continued(paused.content));
    expect(rest.stop_reason).toBe('end_turn');
    expect(rest.usage.server_tool_use.web_search_requests).toBe(0);
    expect([...paused.content, ...rest.content]).toEqual(whole.content);

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
  });

  test('ends as at the other stages: truncated, refused, filtered, empty', async () => {
    const refusal = expect.objectContaining({ content: [{ type: 'refusal', refusal: expect.any(String) }] });
    const incomplete = (reason: string) => ({ status: 'incomplete', incomplete_details: { reason } });
    for (const [kind, responses, message] of [
      ['truncated', incomplete('max_output_tokens'), { stop_reason: 'max_tokens' }],
      [
        'refusal',
        { status: 'completed', output: expect.arrayContaining([refusal]) },
        { stop_reason: 'refusal' },
      ],
      ['content_filter', incomplete('content_filter'), { type: 'error' }],
      ['empty', { status: 'completed' }, { stop_reason: 'end_turn' }],
    ] as const) {
      simulator.clearFaults();
      simulator.setFault({ stage: 'research' }, { kind });
      expect(await bodyOf('openai')).toMatchObject(responses);
      expect(await bodyOf('xai')).toMatchObject(responses);
      const { text } = await sendSearch(simulator, 'anthropic');
      expect(JSON.parse(text)).toMatchObject(message);
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
    await bodyOf('openai');
    expect(simulator.calls.at(-1)?.fault).toBeNull();
  });
});

describe('a search is rejected with 400', () => {
  const hosts = (count: number) => Array.from({ length: count }, (_, index) => `h${index}.example`);
  const format = { type: 'json_schema', schema: { type: 'object', additionalProperties: false } };
  const responses = (filters: object, more: object = {}) => ({
    tools: [{ type: 'web_search', filters, ...more }],
  });
  const claude = (tool: object) => ({
    tools: [{ type: 'web_search_20250305', name: 'web_search', ...tool }],
  });
  const both = { allowed_domains: hosts(1), excluded_domains: hosts(1) };

  test.each<[string, SearchVendor, changes: object]>([
    ['with more than 100 hosts', 'openai', responses({ blocked_domains: hosts(101) })],
    ['with a host that has a scheme', 'openai', responses({ blocked_domains: ['https://a.example'] })],
    ['with a filter of the other vendor', 'openai', responses({ excluded_domains: hosts(1) })],
    ['with an unknown field', 'openai', { max_tokens: 10 }],
    ['with an effort that excludes it', 'openai', { reasoning: { effort: 'minimal' } }],
    ['with a schema', 'openai', { text: { format } }],
    ['without a tool', 'openai', { tools: [] }],
    ['with more than 5 hosts', 'xai', responses({ excluded_domains: hosts(6) })],
    ['with both lists', 'xai', responses(both)],
    ['with a filter of the other vendor', 'xai', responses({ blocked_domains: hosts(1) })],
    ['with a field of the other vendor', 'xai', responses({}, { search_context_size: 'low' })],
    ['with both lists', 'anthropic', claude({ blocked_domains: hosts(1), allowed_domains: hosts(1) })],
    ['with an unknown field', 'anthropic', claude({ excluded_domains: hosts(1) })],
    ['with a schema', 'anthropic', { output_config: { format } }],
    [
      'with a schema',
      'google',
      { generationConfig: { maxOutputTokens: 10, responseMimeType: 'application/json', responseSchema: {} } },
    ],
    ['with both lists', 'openrouter', { tools: [{ type: 'openrouter:web_search', parameters: both }] }],
  ])('%s at %s', async (_, vendor, changes) => {
    const body = { ...searchBody(vendor), ...changes };
    expect((await sendSearch(simulator, vendor, body)).status).toBe(400);
  });
});
