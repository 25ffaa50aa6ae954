import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Simulator, startSimulator } from '../../../simulator/simulator.js';
import {
  type Adapter,
  adapters,
  memberBehind,
  modelIdOf,
  providersAt,
  shippedCatalogue,
} from '../catalogue.js';
import { failureOf } from '../failure-of.js';
import { question } from '../questions.js';
import { goodBody, json, startRawServer } from './raw-server.js';

const catalogue = shippedCatalogue();
let simulator: Simulator;
let stop: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  simulator = await startSimulator();
});
afterEach(async () => {
  simulator.clearFaults();
  await stop();
  stop = async () => undefined;
});
afterAll(() => simulator.close());

/** The failure of a request that gets this response body. */
async function failureOn(adapter: Adapter, body: unknown, status = 200) {
  const { providers, close } = await startRawServer(json(status, body));
  stop = close;
  return failureOf(providers[adapter].ask(question('opinion')));
}

type Ending = readonly [name: string, kind: 'refused' | 'invalid_answer', changes: object];

function choice(finish_reason: string, content: string | null, refusal: string | null = null) {
  return { choices: [{ message: { content, refusal }, finish_reason }] };
}

function candidate(finishReason: string, ...texts: readonly string[]) {
  return { candidates: [{ content: { parts: texts.map(text => ({ text })) }, finishReason }] };
}

const openAiEndings: readonly Ending[] = [
  ['a refusal', 'refused', choice('stop', null, 'I cannot help with that.')],
  ['a filtered text', 'refused', choice('content_filter', '{"a":')],
  ['a text cut off', 'invalid_answer', choice('length', '{"a":')],
  ['no text', 'invalid_answer', choice('stop', '')],
  ['no text left by hidden reasoning', 'invalid_answer', choice('length', null)],
];

const endings: Readonly<Record<Adapter, readonly Ending[]>> = {
  gpt: openAiEndings,
  grok: openAiEndings,
  openrouter: [...openAiEndings, ['a text broken off', 'invalid_answer', choice('error', '{"a":')]],
  claude: [
    ['a refusal', 'refused', { stop_reason: 'refusal', content: [] }],
    ['a text cut off', 'invalid_answer', { stop_reason: 'max_tokens' }],
    ['a full context window', 'invalid_answer', { stop_reason: 'model_context_window_exceeded' }],
    ['no text', 'invalid_answer', { content: [] }],
  ],
  gemini: [
    ['a blocked prompt', 'refused', { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }],
    ['a filtered text', 'refused', candidate('SAFETY', '{"a":')],
    ['a recitation', 'refused', candidate('RECITATION')],
    ['a text cut off', 'invalid_answer', candidate('MAX_TOKENS', '{"a":')],
    ['no text', 'invalid_answer', candidate('STOP')],
    ['no candidate', 'invalid_answer', { candidates: [] }],
  ],
};

describe.each(adapters)('%s', adapter => {
  test.each(endings[adapter])('reports the billed tokens of %s', async (_, kind, changes) => {
    const failure = await failureOn(adapter, { ...Object(goodBody(adapter, '{}')), ...changes });
    const usage = { modelId: `${adapter}-x`, inputTokens: 9, outputTokens: 5 };
    expect(failure).toMatchObject({ kind, retryable: false, status: 200, usage });
  });

  test.each([
    ['null', null],
    ['a text', 'Bad gateway'],
    ['an empty list', []],
    ['an error', { error: { message: 'x' } }],
  ])('reports no tokens for a body that is %s', async (_, body) => {
    expect(await failureOn(adapter, body)).toMatchObject({ kind: 'invalid_answer', usage: null });
  });

  test('reports no tokens for an HTTP error, even if it contains an answer', async () => {
    expect(await failureOn(adapter, goodBody(adapter, '{}'), 500)).toMatchObject({ usage: null });
  });

  test.each(['refusal', 'truncated', 'empty', 'content_filter'] as const)(
    'the simulator bills tokens where the vendor does: %s',
    async kind => {
      const provider = providersAt(simulator.baseUrls)[adapter];
      const { inputTokens, outputTokens } = await provider.ask(question('opinion'));
      simulator.setFault({ model: memberBehind(adapter) }, { kind });
      const { usage, status } = await failureOf(provider.ask(question('opinion')));
      // Anthropic's filter is an HTTP error.
      if (status !== 200) return expect([adapter, kind, usage]).toEqual(['claude', 'content_filter', null]);
      expect(usage).toMatchObject({ modelId: modelIdOf(adapter), inputTokens });
      expect(usage?.outputTokens).toBeLessThan(outputTokens);
      if (kind === 'truncated') expect(usage?.outputTokens).toBeGreaterThan(10);
    },
  );
});

describe('vendor-specific behaviour', () => {
  test.each(['gpt', 'grok'] as const)('%s: a refusal without usage reports no tokens', async adapter => {
    expect(await failureOn(adapter, choice('stop', null, 'No.'))).toMatchObject({
      kind: 'refused',
      usage: null,
    });
  });

  test('gemini: a blocked prompt is billed for the prompt only, or not at all', async () => {
    const promptFeedback = { blockReason: 'SAFETY' };
    expect(await failureOn('gemini', { promptFeedback })).toMatchObject({ kind: 'refused', usage: null });
    await stop();
    const { usage } = await failureOn('gemini', { promptFeedback, usageMetadata: { promptTokenCount: 9 } });
    expect(usage).toEqual({ modelId: catalogue.gemini.modelId, inputTokens: 9, outputTokens: 0 });
  });
});
