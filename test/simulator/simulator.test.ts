import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { councilModels } from '../../council/models.js';
import type { ModelQuestion } from '../../providers/model-provider.js';
import { startSimulator } from '../../simulator/simulator.js';
import { providersAt } from '../providers/catalogue.js';
import { failureOf } from '../providers/failure-of.js';
import { question } from '../providers/questions.js';
import { until } from '../support/until.js';

type Member = (typeof councilModels)[number];

const simulator = await startSimulator();
const providers = providersAt(simulator.baseUrls);
afterEach(() => simulator.clearFaults());
afterAll(() => simulator.close());

async function answerOf(member: Member, request: ModelQuestion) {
  return JSON.parse((await providers[member].ask(request)).text);
}

function probabilities(distribution: { outcome: string; probability: number }[]): number[] {
  return distribution.map(({ probability }) => probability);
}

function tenths(distribution: { outcome: string; probability: number }[]): number {
  return probabilities(distribution).reduce((sum, percent) => sum + Math.round(percent * 10), 0);
}

/** Each member's percentages for an event. */
function opinionsOn(event: string): Promise<number[][]> {
  return Promise.all(
    councilModels.map(async member => {
      const { distribution } = await answerOf(member, question('opinion', { event }));
      return probabilities(distribution);
    }),
  );
}

const synthesisSchema = {
  type: 'object',
  additionalProperties: false,
  properties: { summary: { type: 'string' }, agreements: { type: 'array', items: { type: 'string' } } },
};

function askClaude(headers: Record<string, string>, schema: object): Promise<Response> {
  return fetch(`${simulator.baseUrls.anthropic}/v1/messages`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      model: 'claude-x',
      max_tokens: 10,
      system: 's',
      messages: [{ role: 'user', content: 'Will it rain?' }],
      output_config: { format: { type: 'json_schema', schema } },
    }),
  });
}

const manyOutcomes = Array.from({ length: 40 }, (_, index) => `Candidate ${index}`);

describe('a simulated answer', () => {
  test.each(councilModels)('of %s has the same bytes for the same event on any simulator', async member => {
    const other = await startSimulator({ latencyMs: { min: 1, max: 3 } });
    const elsewhere = providersAt(other.baseUrls);
    for (const name of ['opinion', 'cross_review', 'synthesis'] as const) {
      const first = await providers[member].ask(question(name));
      expect(await providers[member].ask(question(name))).toEqual(first);
      expect(await elsewhere[member].ask(question(name))).toEqual(first);
    }
    await other.close();
  });

  test('has the same body, including its id', async () => {
    const first = await (await askClaude({ 'x-api-key': 'any' }, synthesisSchema)).text();
    const again = await (await askClaude({ 'x-api-key': 'any' }, synthesisSchema)).text();
    expect(first).toContain('Simulated');
    expect(again).toBe(first);
  });

  test('differs from event to event and, modestly, from member to member', async () => {
    const [one, two] = await Promise.all([opinionsOn('Will it rain?'), opinionsOn('Will it snow?')]);
    expect(one).not.toEqual(two);
    expect(new Set(one.map(String)).size).toBe(councilModels.length);
    const spread = (one[0] ?? []).map((_, outcome) => {
      const column = one.map(member => member[outcome] ?? Number.NaN);
      return Math.max(...column) - Math.min(...column);
    });
    expect(Math.max(...spread)).toBeLessThan(25);
  });

  test.each([
    ['two outcomes', ['Yes', 'No']],
    ['three outcomes', ['Ada', 'Bela', 'Chen']],
    ['forty outcomes', manyOutcomes],
  ])('of %s has each label once and adds up to exactly 100.0', async (_, outcomes) => {
    for (const member of councilModels) {
      const { distribution } = await answerOf(member, question('opinion', { outcomes }));
      expect(distribution.map(({ outcome }: { outcome: string }) => outcome)).toEqual(
        outcomes.map((_, index) => `O${index + 1}`),
      );
      expect(tenths(distribution)).toBe(1_000);
      expect(probabilities(distribution).every(percent => percent >= 0 && percent <= 100)).toBe(true);
    }
  });

  test('has independent probabilities if the schema says so', async () => {
    const request = question('opinion', { outcomes: manyOutcomes, independent: true });
    for (const member of councilModels) {
      const { distribution } = await answerOf(member, request);
      expect(tenths(distribution)).not.toBe(1_000);
      expect(probabilities(distribution).every(percent => percent > 0 && percent < 100)).toBe(true);
    }
  });

  test('moves towards the mean in the cross-review, and ranks and criticises each label once', async () => {
    const extra = '<<<BEGIN answer A>>>\nBela, surely.\n<<<END answer A>>>';
    const opinions = await Promise.all(councilModels.map(member => answerOf(member, question('opinion'))));
    const mean = (index: number) =>
      opinions.reduce((sum, { distribution }) => sum + distribution[index].probability / 4, 0);
    for (const [endpoint, member] of councilModels.entries()) {
      const review = await answerOf(member, question('cross_review', { extra, labels: ['A', 'B', 'D'] }));
      expect(review.ranking).toHaveLength(3);
      expect(new Set(review.ranking)).toEqual(new Set(['A', 'B', 'D']));
      expect(review.critiques.map(({ label }: { label: string }) => label)).toEqual(['A', 'B', 'D']);
      expect(tenths(review.revised_distribution)).toBe(1_000);
      for (const [index, { probability }] of review.revised_distribution.entries()) {
        const before = Math.abs(opinions[endpoint].distribution[index].probability - mean(index));
        expect(Math.abs(probability - mean(index))).toBeLessThanOrEqual(before + 0.2);
      }
    }
  });

  test('states in each text that it is simulated', async () => {
    for (const member of councilModels) {
      const opinion = await answerOf(member, question('opinion'));
      const review = await answerOf(member, question('cross_review'));
      const synthesis = await answerOf(member, question('synthesis'));
      const texts = [
        opinion.rationale,
        ...opinion.evidence.map(({ fact }: { fact: string }) => fact),
        ...review.critiques.flatMap((one: Record<string, string>) => [one['strengths'], one['weaknesses']]),
        ...Object.values(synthesis).flat(),
      ];
      for (const text of texts) expect(text).toMatch(/^Simulated/);
    }
  });
});

describe('the simulator', () => {
  test('is as strict as the vendors: a missing key is 401, an unsupported keyword is 400', async () => {
    expect((await askClaude({}, synthesisSchema)).status).toBe(401);
    expect((await askClaude({ 'x-api-key': 'any' }, synthesisSchema)).status).toBe(200);
    expect((await askClaude({ 'x-api-key': 'any' }, { ...synthesisSchema, minimum: 0 })).status).toBe(400);
    expect(
      (await askClaude({ 'x-api-key': 'any' }, { ...synthesisSchema, additionalProperties: true })).status,
    ).toBe(400);
    expect((await fetch(`${simulator.url}/elsewhere`)).status).toBe(404);
  });

  test('applies a fault only to its model and stage and only `times` times', async () => {
    simulator.setFault({ model: 'gpt', stage: 'cross_review', times: 2 }, { kind: 'refusal' });
    await providers.gpt.ask(question('opinion'));
    await providers.grok.ask(question('cross_review'));
    await failureOf(providers.gpt.ask(question('cross_review')));
    await failureOf(providers.gpt.ask(question('cross_review')));
    await providers.gpt.ask(question('cross_review'));
    expect(simulator.calls.slice(-5).map(({ fault }) => fault)).toEqual([
      null,
      null,
      'refusal',
      'refusal',
      null,
    ]);
  });

  test('accepts faults over HTTP while it runs and rejects unknown ones', async () => {
    const url = `${simulator.url}/simulator/faults`;
    const put = (rules: unknown) => fetch(url, { method: 'PUT', body: JSON.stringify(rules) });
    const rules = [{ model: 'claude', times: 1, fault: { kind: 'http', status: 503, retry_after: '9' } }];
    expect(await (await put(rules)).json()).toEqual(rules);
    expect(await (await fetch(url)).json()).toEqual(rules);
    expect(await failureOf(providers.claude.ask(question('opinion')))).toMatchObject({
      status: 503,
      retryAfterMs: 9_000,
    });
    expect(await (await fetch(url)).json()).toEqual([]);

    const unknown = await put([{ model: 'llama', fault: { kind: 'refusal' } }]);
    expect(unknown.status).toBe(400);
    const tooLong = await put([{ fault: { kind: 'says', text: 'x'.repeat(100_001) } }]);
    expect(tooLong.status).toBe(400);
    expect(await (await put([{ fault: { kind: 'refusal' } }])).json()).toHaveLength(1);
    expect(await (await fetch(url, { method: 'DELETE' })).json()).toEqual([]);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  });

  test('applies a latency fault', async () => {
    simulator.setFault({ model: 'gemini' }, { kind: 'latency', ms: 120 });
    const before = performance.now();
    await providers.gemini.ask(question('opinion'));
    expect(performance.now() - before).toBeGreaterThanOrEqual(110);
  });

  test('holds back only the matching answers until they are released', async () => {
    const release = simulator.hold({ model: 'gemini' });
    let given = false;
    const held = providers.gemini.ask(question('opinion')).finally(() => {
      given = true;
    });
    await providers.gpt.ask(question('opinion'));
    await providers.gpt.ask(question('opinion'));
    expect(given).toBe(false);
    release();
    await held;
    await providers.gemini.ask(question('opinion'));
    expect(given).toBe(true);
  });

  test('logs the outcome of each call', async () => {
    const lines: string[] = [];
    const talking = await startSimulator({ log: line => lines.push(line) });
    await providersAt(talking.baseUrls).grok.ask(question('synthesis'));
    expect(lines).toEqual(['grok synthesis: answered']);
    await talking.close();
  });

  test('aborts open requests when it is closed', async () => {
    const closing = await startSimulator();
    closing.setFault({}, { kind: 'hang' });
    const failure = failureOf(providersAt(closing.baseUrls).claude.ask(question('opinion')));
    await until('the call reached the server', () => closing.calls.length === 1);
    await closing.close();
    expect(await failure).toMatchObject({ kind: 'unavailable', retryable: true });
  });

  test('rejects with the server’s error if its port is in use', async () => {
    const port = Number(new URL(simulator.url).port);
    await expect(startSimulator({ port })).rejects.toThrow(/EADDRINUSE/);
  });
});
