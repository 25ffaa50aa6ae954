import { describe, expect, test } from '@jest/globals';
import type { ModelProvider, ModelQuestion } from '../../../providers/model-provider.js';
import {
  type Adapter,
  adapters,
  everyVendorAt,
  memberBehind,
  providersAt,
  shippedCatalogue,
} from '../catalogue.js';
import { failureOf } from '../failure-of.js';
import { question, searchQuestion } from '../questions.js';
import { goodBody } from './raw-server.js';
import { findings, message, ok, useSearchServers } from './search/search-server.js';

/** What adapters tell the vendors' prompt caches, and what they read of them. */

const serve = useSearchServers();

const answerUsage: Readonly<Record<Adapter, object>> = {
  claude: { input_tokens: 3, cache_read_input_tokens: 4, cache_creation_input_tokens: 2, output_tokens: 5 },
  gpt: chatUsage({ cached_tokens: 4, cache_write_tokens: 2 }),
  grok: chatUsage({ cached_tokens: 4, text_tokens: 9 }),
  openrouter: chatUsage({ cached_tokens: 4, cache_write_tokens: 2 }),
  gemini: { promptTokenCount: 9, cachedContentTokenCount: 4, candidatesTokenCount: 5 },
};

function chatUsage(prompt_tokens_details: object) {
  return { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14, prompt_tokens_details };
}

const searchUsage: Readonly<Record<Adapter, object>> = {
  ...answerUsage,
  gpt: responseUsage({ cached_tokens: 4, cache_write_tokens: 2 }),
  grok: responseUsage({ cached_tokens: 4 }),
};

function responseUsage(input_tokens_details: object) {
  return { input_tokens: 9, output_tokens: 5, total_tokens: 14, input_tokens_details };
}

const billsWrites: ReadonlySet<Adapter> = new Set(['claude', 'gpt', 'openrouter']);

function withUsage(adapter: Adapter, body: unknown, usage: object): object {
  return { ...Object(body), [adapter === 'gemini' ? 'usageMetadata' : 'usage']: usage };
}

describe.each(adapters)('%s', adapter => {
  const counted = {
    inputTokens: 9,
    cachedInputTokens: 4,
    outputTokens: 5,
    ...(billsWrites.has(adapter) ? { cacheWriteTokens: 2 } : {}),
  };

  test('an answer has all input tokens, and those that a cache served or stored as parts of them', async () => {
    const { providers } = await serve(ok(withUsage(adapter, goodBody(adapter, '{}'), answerUsage[adapter])));
    const answer = await providers[adapter].ask(question('opinion'));
    expect(answer).toEqual({ text: '{}', modelId: `${adapter}-x`, ...counted });
  });

  test('a search has the same', async () => {
    const { providers } = await serve(ok(withUsage(adapter, findings[adapter], searchUsage[adapter])));
    expect(await providers[adapter].search(searchQuestion())).toMatchObject(counted);
  });

  test('an answer that cannot be used has the same', async () => {
    const silent = {
      choices: [{ message: { content: '' } }],
      content: [],
      candidates: [],
      stop_reason: 'end_turn',
    };
    const { providers } = await serve(ok(withUsage(adapter, silent, answerUsage[adapter])));
    const { usage } = await failureOf(providers[adapter].ask(question('opinion')));
    expect(usage).toMatchObject(counted);
  });

  test('details that are missing or of another form are no tokens', async () => {
    for (const prompt_tokens_details of [
      null,
      undefined,
      'none',
      { cached_tokens: null },
      { cached_tokens: -1 },
    ]) {
      const usage = { ...answerUsage[adapter], prompt_tokens_details };
      const body = withUsage(adapter, goodBody(adapter, '{}'), usage);
      const { providers } = await serve(ok(body));
      const isChat = 'prompt_tokens' in usage;
      expect((await providers[adapter].ask(question('opinion'))).cachedInputTokens).toBe(
        isChat ? undefined : 4,
      );
    }
  });
});

test('claude: the cached tokens of a continued search are added', async () => {
  const paused = { ...message([], 'pause_turn'), usage: answerUsage.claude };
  const { providers } = await serve(ok(paused), ok(withUsage('claude', findings.claude, answerUsage.claude)));
  const usage = { inputTokens: 18, cachedInputTokens: 8, cacheWriteTokens: 4, outputTokens: 10 };
  expect(await providers.claude.search(searchQuestion())).toMatchObject(usage);
});

/** The requests of this provider, with or without a price for what its vendor stores. */
async function bodiesOf(
  adapter: Adapter,
  billed: boolean,
  send: (provider: ModelProvider) => Promise<unknown>,
) {
  const { url, bodies, requests } = await serve(ok({}));
  const shipped = shippedCatalogue();
  const member = memberBehind(adapter);
  const entry = { ...shipped[member], cacheWriteUsdPerMillionTokens: billed ? 6.25 : null };
  const providers = providersAt(everyVendorAt(url), { ...shipped, [member]: entry });
  await send(providers[adapter]).catch(() => undefined);
  return { text: JSON.stringify(bodies[0]), body: bodies[0], headers: requests[0]?.headers };
}

const ask = (provider: ModelProvider) => provider.ask(question('opinion'));
const search = (provider: ModelProvider) => provider.search(searchQuestion());

describe('a request', () => {
  test.each(adapters)('of %s says nothing of caches where the vendor bills no storing', async adapter => {
    for (const send of [ask, search]) {
      expect((await bodiesOf(adapter, false, send)).text).not.toMatch(/cache/);
    }
  });

  test('for an answer of GPT stores nothing, which no later request would read', async () => {
    const { body } = await bodiesOf('gpt', true, ask);
    expect(body.prompt_cache_options).toEqual({ mode: 'explicit' });
    expect(JSON.stringify(body)).not.toMatch(/breakpoint/);
  });

  test.each(['claude', 'openrouter'] as const)('for an answer of %s stores nothing either', async adapter => {
    expect((await bodiesOf(adapter, true, ask)).text).not.toMatch(/cache/);
  });

  test.each(['claude', 'openrouter'] as const)('for a search of %s marks the prompt', async adapter => {
    const { body } = await bodiesOf(adapter, true, search);
    const { content } = body.messages.at(-1);
    expect(content).toEqual([
      { type: 'text', text: searchQuestion().user, cache_control: { type: 'ephemeral' } },
    ]);
  });
});

describe('a question to Grok', () => {
  const idOf = async (changes: Partial<ModelQuestion>) => {
    const asked = { ...question('opinion'), ...changes };
    const { headers } = await bodiesOf('grok', false, provider => provider.ask(asked));
    return headers?.['x-grok-conv-id'];
  };

  test('goes where a question that begins alike went', async () => {
    const first = await idOf({ user: 'The event. An opinion?', sharedChars: 10 });
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(await idOf({ user: 'The event. A review?', sharedChars: 10 })).toBe(first);
    expect(await idOf({ user: 'An event. A review?', sharedChars: 10 })).not.toBe(first);
    expect(await idOf({ user: 'The event. A review?', sharedChars: 10, system: 'x' })).not.toBe(first);
  });
});
