import { describe, expect, test } from '@jest/globals';
import type { Vendor } from '../../council/models.js';
import type { ModelAnswer, ModelQuestion } from '../../providers/model-provider.js';
import type { Caching } from '../../simulator/dialects/dialect.js';
import { createPromptCache } from '../../simulator/dialects/prompt-cache.js';
import { adapters, providersAt, throughOpenRouter } from '../providers/catalogue.js';
import { question, searchQuestion } from '../providers/questions.js';
import { useSimulator } from '../providers/use-simulator.js';

const caching = (vendor: Vendor, marks: readonly number[] = [], settings: unknown = null): Caching => ({
  vendor,
  settings,
  marks,
});

/** Text of so many tokens. */
const tokens = (count: number, letter = 'x') => letter.repeat(4 * count);

describe('a simulated cache', () => {
  test.each([
    ['anthropic', 512],
    ['openai', 1_024],
  ] as const)('of %s stores what is before a mark, from %i tokens on', (vendor, least) => {
    const cache = createPromptCache();
    const use = (count: number, tail: string) =>
      cache.use('me', tokens(count) + tail, caching(vendor, [4 * count]));
    expect(use(least - 1, 'one')).toEqual({ readTokens: 0, writtenTokens: 0, isMarked: false });
    expect(use(least, 'one')).toEqual({ readTokens: 0, writtenTokens: least, isMarked: true });
    expect(use(least, 'two')).toEqual({ readTokens: least, writtenTokens: 0, isMarked: true });
    const longer = cache.use('me', tokens(least + 9), caching(vendor, [4 * least, 4 * (least + 9)]));
    expect(longer).toEqual({ readTokens: least, writtenTokens: 9, isMarked: true });
  });

  test.each([
    ['xai', 128],
    ['google', 4_096],
  ] as const)(
    'of %s stores by itself, in blocks, from %i tokens on, and bills none of it',
    (vendor, least) => {
      const cache = createPromptCache();
      const use = (text: string) => cache.use('me', text, caching(vendor));
      const none = { readTokens: 0, writtenTokens: 0, isMarked: false };
      expect([use(tokens(least - 1)), use(tokens(least - 1))]).toEqual([none, none]);
      expect(use(tokens(least + 100) + tokens(200, 'a'))).toEqual(none);
      expect(use(tokens(least + 100) + tokens(200, 'b'))).toEqual({ ...none, readTokens: least });
      expect(use(tokens(least + 200))).toEqual({ ...none, readTokens: least });
    },
  );

  test('belongs to its owner, and is lost with other settings or another beginning', () => {
    const cache = createPromptCache();
    const text = tokens(2_000);
    const read = (owner: string, of: string, settings: unknown) =>
      cache.use(owner, of, caching('openai', [8_000], settings)).readTokens;
    expect(read('me', text, 'low')).toBe(0);
    expect(read('me', text, 'low')).toBe(2_000);
    expect(read('you', text, 'low')).toBe(0);
    expect(read('me', text, 'high')).toBe(0);
    expect(read('me', `y${text.slice(1)}`, 'low')).toBe(0);
  });

  test('keeps a bounded number of beginnings', () => {
    const cache = createPromptCache();
    const use = (text: string) => cache.use('me', text, caching('xai')).readTokens;
    use(tokens(128, 'a'));
    for (let prompt = 0; prompt < 600; prompt += 1) use(`${prompt}`.padStart(4, '0') + tokens(12_800));
    expect(use(tokens(128, 'a'))).toBe(0);
    expect(use(`0599${tokens(12_800)}`)).toBe(12_800);
  });
});

const simulator = await useSimulator();
const direct = providersAt(simulator.baseUrls);
const routed = throughOpenRouter(simulator.baseUrls);

/** Two questions that share a long beginning, and what else the changes leave alike. */
async function askTwice(
  provider: (typeof direct)['gpt'],
  topic: string,
  changes: Partial<ModelQuestion> = {},
) {
  const event = topic + tokens(5_000);
  const first = await provider.ask(question('opinion', { event, extra: 'one' }));
  return [
    first,
    await provider.ask({ ...question('opinion', { event, extra: 'two' }), ...changes }),
  ] as const;
}

const cached = ({ cachedInputTokens = 0, cacheWriteTokens = 0 }: Partial<ModelAnswer>) => [
  cachedInputTokens,
  cacheWriteTokens,
];

describe('over the wire', () => {
  test.each(adapters)('%s has as many input tokens as without a cache', async adapter => {
    const [first, second] = await askTwice(direct[adapter], `${adapter} counts`);
    expect(second.inputTokens).toBe(first.inputTokens);
    expect(first.inputTokens).toBeGreaterThan(5_000);
  });

  test.each([
    ['gemini', direct.gemini],
    ['grok', direct.grok],
    ['gemini through OpenRouter', routed.gemini],
    ['grok through OpenRouter', routed.grok],
  ])('%s is served what two prompts share', async (name, provider) => {
    const [first, second] = await askTwice(provider, name);
    expect(cached(first)).toEqual([0, 0]);
    expect(second.cachedInputTokens).toBeGreaterThan(4_900);
  });

  test('a schema or an effort of its own loses Gemini’s cache, and not Grok’s', async () => {
    const { schema, schemaName } = question('synthesis');
    const others: Partial<ModelQuestion>[] = [{ schema, schemaName }, { effort: 'high' }];
    for (const [index, changes] of others.entries()) {
      const [, gemini] = await askTwice(direct.gemini, `loses ${index}`, changes);
      expect(cached(gemini)).toEqual([0, 0]);
      const [, grok] = await askTwice(direct.grok, `keeps ${index}`, changes);
      expect(grok.cachedInputTokens).toBeGreaterThan(4_900);
    }
  });

  test('neither Claude nor GPT stores an answer’s prompt', async () => {
    for (const provider of [direct.claude, direct.gpt, routed.claude]) {
      const [first, second] = await askTwice(provider, 'unmarked');
      expect([cached(first), cached(second)]).toEqual([
        [0, 0],
        [0, 0],
      ]);
    }
  });

  test('GPT stores the whole prompt for a request that does not say otherwise', async () => {
    const [first] = await askTwice(routed.gpt, 'by default');
    expect(cached(first)).toEqual([0, first.inputTokens]);
  });

  test('a marked search of Claude stores prompt and results, and is served the prompt when it is repeated', async () => {
    const long = searchQuestion({ user: tokens(1_000) });
    const first = await direct.claude.search(long);
    expect(cached(first)).toEqual([0, first.inputTokens]);
    const second = await direct.claude.search(long);
    expect(second.inputTokens).toBe(first.inputTokens);
    expect(second.cachedInputTokens).toBeGreaterThanOrEqual(1_000);
    expect(cached(await routed.claude.search(long))[1]).toBeGreaterThanOrEqual(1_000);
  });

  test('a search too short to be stored is not', async () => {
    expect(cached(await direct.claude.search(searchQuestion()))).toEqual([0, 0]);
  });
});
