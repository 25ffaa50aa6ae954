import { describe, expect, test } from '@jest/globals';
import { councilModels } from '../../../../council/models.js';
import type { SearchQuestion } from '../../../../providers/model-provider.js';
import { giveUpAfterMs } from '../../../support/until.js';
import { type Adapter, adapters, shippedCatalogue, throughOpenRouter } from '../../catalogue.js';
import { failureOf } from '../../failure-of.js';
import { searchQuestion } from '../../questions.js';
import { json } from '../raw-server.js';
import { findings, message, ok, useSearchServers } from './search-server.js';

const catalogue = shippedCatalogue();
const serve = useSearchServers();

/** The request of one search, as the vendor receives it. */
async function requestOf(adapter: Adapter, changes: Partial<SearchQuestion> = {}) {
  const { providers, bodies, paths } = await serve(ok(findings[adapter]));
  const { blockList } = await providers[adapter].search(searchQuestion(changes));
  return { body: bodies[0], path: paths[0], blockList };
}

const system = 'You look things up.';
const user = 'Who leads the 2027 chess candidates?';
const turns = [
  { role: 'system', content: system },
  { role: 'user', content: user },
];
/** For models whose vendor stores at marks. */
const marked = [{ type: 'text', text: user, cache_control: { type: 'ephemeral' } }];
const hosts = ['polymarket.com', 'kalshi.com'];

describe('a search', () => {
  test('of OpenAI uses its responses, and must use the tool', async () => {
    expect(await requestOf('gpt')).toEqual({
      path: '/responses',
      blockList: 'sent',
      body: {
        model: catalogue.gpt.modelId,
        input: turns,
        tools: [{ type: 'web_search', search_context_size: 'medium', filters: { blocked_domains: hosts } }],
        tool_choice: 'required',
        max_tool_calls: 4,
        include: ['web_search_call.action.sources'],
        max_output_tokens: 6_000,
        store: false,
        reasoning: { effort: 'low' },
      },
    });
  });

  test('of xAI has none of OpenAI’s options, and does not search posts', async () => {
    expect(await requestOf('grok')).toEqual({
      path: '/responses',
      blockList: 'sent',
      body: {
        model: catalogue.grok.modelId,
        input: turns,
        tools: [{ type: 'web_search', filters: { excluded_domains: hosts } }],
        max_output_tokens: 6_000,
        store: false,
        reasoning: { effort: 'low' },
      },
    });
  });

  test('of Anthropic uses the version of the tool that does not run code', async () => {
    const tool = { type: 'web_search_20250305', name: 'web_search', max_uses: 4, blocked_domains: hosts };
    expect(await requestOf('claude')).toEqual({
      path: '/v1/messages',
      blockList: 'sent',
      body: {
        model: catalogue.claude.modelId,
        max_tokens: 6_000,
        system,
        messages: [{ role: 'user', content: marked }],
        thinking: { type: 'adaptive' },
        output_config: { effort: 'low' },
        tools: [tool],
      },
    });
  });

  test('of Google has no list of blocked hosts, and says so', async () => {
    expect(await requestOf('gemini')).toEqual({
      path: `/v1beta/models/${catalogue.gemini.modelId}:generateContent`,
      blockList: 'unsupported',
      body: {
        systemInstruction: { role: 'system', parts: [{ text: system }] },
        contents: [{ role: 'user', parts: [{ text: user }] }],
        generationConfig: { maxOutputTokens: 6_000, thinkingConfig: { thinkingLevel: 'LOW' } },
        safetySettings: [],
        tools: [{ googleSearch: {} }],
      },
    });
  });

  test('through OpenRouter uses a model’s own engine only if it honours the list', async () => {
    const { url, bodies, paths } = await serve(ok(findings.openrouter));
    const providers = throughOpenRouter({ openrouter: url });
    for (const member of councilModels) await providers[member].search(searchQuestion());
    const [first] = turns;
    const engines = { claude: 'native', gpt: 'exa', gemini: 'exa', grok: 'exa' };
    expect(paths).toEqual(councilModels.map(() => '/chat/completions'));
    expect(bodies).toEqual(
      councilModels.map(member => ({
        model: catalogue[member].openRouterModelId,
        messages: member === 'claude' ? [first, { role: 'user', content: marked }] : turns,
        tools: [
          {
            type: 'openrouter:web_search',
            parameters: {
              engine: engines[member],
              max_results: 5,
              max_total_results: 20,
              excluded_domains: hosts,
            },
          },
        ],
        max_tokens: 6_000,
        reasoning: { effort: 'low' },
        provider: { require_parameters: true },
      })),
    );
  });

  test.each(adapters)('of %s states neither an effort nor a list if there is none', async adapter => {
    const { body } = await requestOf(adapter, { effort: null, blockedHosts: [] });
    expect(JSON.stringify(body)).not.toMatch(/effort|thinking|reasoning|filters|domains/);
  });

  test('of Anthropic can limit thinking by a budget', async () => {
    const { body } = await requestOf('claude', { effort: null, thinkingBudgetTokens: 2_000 });
    expect(body.thinking).toEqual({ type: 'enabled', budget_tokens: 2_000 });
    expect(body.output_config).toBeUndefined();
  });
});

const manyHosts = Array.from({ length: 150 }, (_, index) => `market${index}.com`);
const listOf: Partial<Record<Adapter, (body: any) => string[] | undefined>> = {
  gpt: body => body.tools[0].filters?.blocked_domains,
  grok: body => body.tools[0].filters?.excluded_domains,
  claude: body => body.tools[0].blocked_domains,
  openrouter: body => body.tools[0].parameters.excluded_domains,
};
const refusals = [
  [
    'gpt',
    400,
    { message: "Unknown parameter: 'tools[0].filters.blocked_domains'.", code: 'unknown_parameter' },
  ],
  ['gpt', 400, { message: 'Unsupported parameter.', param: 'tools[0].filters' }],
  ['grok', 422, 'Failed to deserialize the JSON body: tools[0].filters: unknown field `excluded_domains`'],
  ['claude', 400, { message: 'tools.0.web_search_20250305.blocked_domains: Extra inputs are not permitted' }],
  ['openrouter', 400, { code: 400, metadata: { raw: '{"error":"tools.0.blocked_domains: extra inputs"}' } }],
  ['openrouter', 200, { code: 400, message: 'Invalid parameters: excluded_domains' }],
] as const;

describe('the list of blocked hosts', () => {
  test.each([
    ['gpt', 100],
    ['grok', 5],
    ['claude', 150],
    ['openrouter', 100],
  ] as const)('of %s has at most %i hosts, the first ones', async (adapter, most) => {
    const { body } = await requestOf(adapter, { blockedHosts: manyHosts });
    expect(listOf[adapter]?.(body)).toEqual(manyHosts.slice(0, most));
  });

  test.each(refusals)('that %s refuses (HTTP %i) is left out of the same search', async (...row) => {
    const [adapter, status, error] = row;
    const { providers, bodies } = await serve(json(status, { error }), ok(findings[adapter]));
    const answer = await providers[adapter].search(searchQuestion());
    expect(answer).toMatchObject({ blockList: 'refused', searches: 1, inputTokens: 9 });
    expect(answer.citations).toHaveLength(1);
    expect(bodies.map(body => listOf[adapter]?.(body))).toEqual([hosts, undefined]);
    const withoutList = (body: any) => ({ ...body, tools: undefined });
    expect(withoutList(bodies[1])).toEqual(withoutList(bodies[0]));
  });

  test.each(['gpt', 'grok', 'claude', 'openrouter'] as const)(
    'is refused by %s once: an error without it is classified as any other',
    async adapter => {
      const error = { message: 'tools.0.filters.blocked_domains and excluded_domains: no' };
      const { providers, bodies } = await serve(json(400, { error }));
      const failure = await failureOf(providers[adapter].search(searchQuestion()));
      expect(failure).toMatchObject({ kind: 'unavailable', retryable: false, status: 400 });
      expect(failure.message).toBe('unavailable (HTTP 400)');
      expect(bodies).toHaveLength(2);
    },
  );

  test('shares the time of the search with the request without it', async () => {
    const refusal = json(400, { error: { message: 'blocked_domains: no' } });
    const { providers, bodies } = await serve(refusal, () => undefined);
    const search = providers.gpt.search(searchQuestion({ timeoutMs: giveUpAfterMs }));
    expect(await failureOf(search)).toMatchObject({ kind: 'timed_out', status: null });
    expect(bodies).toHaveLength(2);
  });

  test('stays left out where a paused answer is continued', async () => {
    const refusal = json(400, { error: { message: 'blocked_domains: no' } });
    const { providers, bodies } = await serve(refusal, ok(message([], 'pause_turn')), ok(findings.claude));
    expect(await providers.claude.search(searchQuestion())).toMatchObject({ blockList: 'refused' });
    expect(bodies.map(body => listOf.claude?.(body))).toEqual([hosts, undefined, undefined]);
  });
});
