import { describe, expect, test } from '@jest/globals';
import type { Fault } from '../../../simulator/faults.js';
import { adapters, memberBehind, modelIdOf, providersAt, secretKey } from '../catalogue.js';
import { failureOf } from '../failure-of.js';
import { question, schemaNames } from '../questions.js';
import { useSimulator } from '../use-simulator.js';

const simulator = await useSimulator();
const providers = providersAt(simulator.baseUrls);

const refused = { kind: 'refused', retryable: false };
const invalid = { kind: 'invalid_answer', retryable: false, truncated: false };
const faults: readonly (readonly [string, Fault, object])[] = [
  ['a refusal', { kind: 'refusal' }, refused],
  ['a content filter', { kind: 'content_filter' }, refused],
  ['a truncated answer', { kind: 'truncated' }, { ...invalid, truncated: true }],
  ['an empty answer', { kind: 'empty' }, invalid],
  [
    'a rate limit with a delay of 30 s',
    { kind: 'http', status: 429, retry_after: '30' },
    { kind: 'rate_limited', retryable: true, retryAfterMs: 30_000, status: 429 },
  ],
  [
    'an exhausted quota',
    { kind: 'http', status: 429, code: 'insufficient_quota' },
    { kind: 'rate_limited', retryable: false },
  ],
];

describe.each(adapters)('%s', adapter => {
  const member = memberBehind(adapter);

  test('returns the answer with the model id and token counts', async () => {
    const answer = await providers[adapter].ask(question('opinion'));
    expect(JSON.parse(answer.text)).toHaveProperty('distribution');
    expect(answer.modelId).toBe(modelIdOf(adapter));
    expect(answer.inputTokens).toBeGreaterThan(10);
    expect(answer.outputTokens).toBeGreaterThan(10);
    expect(simulator.calls.at(-1)).toMatchObject({
      model: member,
      stage: 'opinions',
      system: 'You are one of four forecasters.',
      user: question('opinion').user,
      aborted: false,
    });
  });

  test.each(schemaNames)('sends the schema of %s', async name => {
    const { text } = await providers[adapter].ask(question(name));
    expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(Object(question(name).schema['properties'])));
  });

  test('limits the answer at the vendor by room and effort, and states no effort if none is set', async () => {
    for (const effort of [null, 'low', 'high'] as const) {
      await providers[adapter].ask({ ...question('opinion'), maxOutputTokens: 1_234, effort });
      const limits = { maxOutputTokens: 1_234, effort, thinkingBudgetTokens: null };
      expect(simulator.calls.at(-1)?.limits).toEqual(limits);
    }
  });

  test.each(faults)('classifies %s after a single request', async (_, fault, expected) => {
    simulator.setFault({ model: member }, fault);
    const before = simulator.calls.length;
    const failure = await failureOf(providers[adapter].ask(question('opinion')));
    expect(failure).toMatchObject(expected);
    expect(simulator.calls.length - before).toBe(1);
    expect(`${failure.message} ${failure.stack} ${JSON.stringify(failure)}`).not.toMatch(/secret|Simulated/);
    expect(failure.cause).toBeUndefined();
  });

  test.each(['refusal', 'truncated', 'empty', 'content_filter'] as const)(
    'the simulator bills tokens where the vendor does: %s',
    async kind => {
      const { inputTokens, outputTokens } = await providers[adapter].ask(question('opinion'));
      simulator.setFault({ model: member }, { kind });
      const { usage, status } = await failureOf(providers[adapter].ask(question('opinion')));
      // Anthropic's filter is an HTTP error.
      if (status !== 200) return expect([adapter, kind, usage]).toEqual(['claude', 'content_filter', null]);
      expect(usage).toMatchObject({ modelId: modelIdOf(adapter), inputTokens });
      expect(usage?.outputTokens).toBeLessThan(outputTokens);
      if (kind === 'truncated') expect(usage?.outputTokens).toBeGreaterThan(10);
    },
  );

  test.each([{ kind: 'invalid_json' }, { kind: 'wrong_sum' }, { kind: 'unknown_outcome' }] as const)(
    'returns an answer with $kind unchanged: the council validates it',
    async fault => {
      const good = await providers[adapter].ask(question('opinion'));
      simulator.setFault({ model: member, times: 1 }, fault);
      const bad = await providers[adapter].ask(question('opinion'));
      expect(bad.text).not.toBe(good.text);
    },
  );

  test.each(['{"distribution":[]}', ' Ünsinn, “quoted”\n', 'x'.repeat(100_000)])(
    'returns the exact text of a `says` fault: %.30j',
    async text => {
      simulator.setFault({ model: member }, { kind: 'says', text });
      expect(await providers[adapter].ask(question('opinion'))).toMatchObject({ text });
    },
  );

  test('does not expose its key through JSON or inspection', () => {
    expect(JSON.stringify(providers[adapter])).not.toContain(secretKey);
  });
});

test.each(['claude', 'gemini', 'openrouter'] as const)(
  '%s limits thinking by a budget instead',
  async adapter => {
    const limits = { maxOutputTokens: 4_000, effort: null, thinkingBudgetTokens: 2_000 };
    await providers[adapter].ask({ ...question('opinion'), ...limits });
    expect(simulator.calls.at(-1)?.limits).toEqual(limits);
  },
);

test('openrouter gets the highest effort that it has for the highest there is', async () => {
  await providers.openrouter.ask({ ...question('opinion'), effort: 'max' });
  expect(simulator.calls.at(-1)?.limits.effort).toBe('xhigh');
});

test('the simulator rejects an effort that a vendor does not have', async () => {
  const failure = await failureOf(providers.grok.ask({ ...question('opinion'), effort: 'max' }));
  expect(failure).toMatchObject({ kind: 'unavailable', retryable: false, status: 400 });
});
