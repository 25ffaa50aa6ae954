import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Simulator, startSimulator } from '../../../simulator/simulator.js';
import { runDoctor, serve } from './doctor-support.js';

const secret = 'sk-canary-0123456789';
const keys = {
  OPENAI_API_KEY: secret,
  ANTHROPIC_API_KEY: secret,
  GEMINI_API_KEY: secret,
  XAI_API_KEY: secret,
};

describe('council doctor, on the models', () => {
  let simulator: Simulator;
  let addresses: Record<string, string>;
  beforeAll(async () => {
    simulator = await startSimulator();
    const { openai, anthropic, google, xai } = simulator.baseUrls;
    addresses = {
      OPENAI_BASE_URL: openai,
      ANTHROPIC_BASE_URL: anthropic,
      GEMINI_BASE_URL: google,
      XAI_BASE_URL: xai,
    };
  });
  afterAll(() => simulator.close());

  test('asks each model once, lets those that search search once, and reports that all would answer', async () => {
    const before = simulator.calls.length;
    const { ok, text } = await runDoctor({ ...keys, ...addresses });
    expect(ok).toBe(true);
    expect(text).toContain('4 of 4 models would answer. 3 of them search the web.');
    expect(text).toMatch(
      /claude .*web search .*works: \d searches, \d citations; the vendor takes the block list/,
    );
    const calls = simulator.calls.slice(before).map(({ model, stage }) => `${model} ${stage}`);
    const searches = ['claude research', 'gpt research', 'grok research'];
    const questions = ['claude opinions', 'gemini opinions', 'gpt opinions', 'grok opinions'];
    expect(calls.sort()).toEqual([...questions, ...searches].sort());
  });

  test('says which search fails, and whether the vendor refuses or ignores the block list', async () => {
    const source = {
      url: 'https://kalshi.com/markets/fed',
      title: 'Fed',
      text: 'The committee meets.',
      page_age: null,
    };
    simulator.setFault({ model: 'claude', stage: 'research' }, { kind: 'http', status: 403 });
    simulator.setFault({ model: 'gpt', stage: 'research', times: 1 }, { kind: 'block_list_refused' });
    simulator.setFault({ model: 'grok', stage: 'research' }, { kind: 'finds', sources: [source] });
    const { ok, text, models } = await runDoctor({ ...keys, ...addresses });
    simulator.clearFaults();
    expect(ok).toBe(true);
    expect(text).toContain('1 of 3 searches failed: reports would be made with less evidence.');
    expect(text).toMatch(/claude .*web search .*fails, unauthorised \(HTTP 403\)/);
    expect(models.map(({ model, search }) => [model, search?.block_list ?? null])).toEqual([
      ['claude', null],
      ['gpt', 'refused'],
      ['gemini', null],
      ['grok', 'ignored'],
    ]);
  });

  test('searches nothing when members do not search', async () => {
    const before = simulator.calls.length;
    const { models, text } = await runDoctor({ ...keys, ...addresses, EVIDENCE: 'off' });
    expect(models.map(({ search }) => search)).toEqual([null, null, null, null]);
    expect(text).not.toContain('web search');
    expect(simulator.calls.slice(before).map(({ stage }) => stage)).not.toContain('research');
  });

  test('says what to do about each model that would not answer, and reports a problem', async () => {
    simulator.setFault({ model: 'gpt' }, { kind: 'http', status: 401 });
    simulator.setFault({ model: 'claude' }, { kind: 'http', status: 404 });
    simulator.setFault({ model: 'grok' }, { kind: 'invalid_json' });
    const { ok, text, quorum } = await runDoctor({ ...keys, ...addresses });
    simulator.clearFaults();
    expect(ok).toBe(false);
    expect(quorum).toBe(false);
    expect(text).toMatch(/gpt .* would drop out, unauthorised \(HTTP 401\): .*OPENAI_API_KEY/);
    expect(text).toMatch(/claude .* \(HTTP 404\): .*model_id in providers\/models\.yaml/);
    expect(text).toMatch(/grok .* invalid answer/);
    expect(text).toMatch(/gemini .* works/);
    expect(text).toContain('1 of 4 models would answer: too few');
  });

  test('treats a vendor without a key as a choice: the council is degraded, without a problem', async () => {
    const { OPENAI_API_KEY, XAI_API_KEY } = keys;
    const { ok, quorum, models } = await runDoctor({ OPENAI_API_KEY, XAI_API_KEY, ...addresses });
    expect([ok, quorum]).toEqual([true, true]);
    expect(models.map(({ model, configured, works }) => [model, configured, works])).toEqual([
      ['claude', false, false],
      ['gpt', true, true],
      ['gemini', false, false],
      ['grok', true, true],
    ]);
  });

  test('says when the models are simulated', async () => {
    const { ok, text } = await runDoctor({ SIMULATOR_URL: simulator.url });
    expect(ok).toBe(true);
    expect(text).toContain('SIMULATED: no vendor was asked');
  });

  test('prints no key, even when a vendor repeats it in an error', async () => {
    const port = await serve((request, response) => {
      const echo = JSON.stringify(request.headers);
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: echo, type: echo, code: echo, status: echo } }));
    });
    const url = `http://127.0.0.1:${port}`;
    const vendors = {
      OPENAI_BASE_URL: url,
      ANTHROPIC_BASE_URL: url,
      GEMINI_BASE_URL: url,
      XAI_BASE_URL: url,
    };
    const diagnosis = await runDoctor({ ...keys, ...vendors });
    expect(diagnosis.ok).toBe(false);
    expect(diagnosis.text).toMatch(/401/);
    expect(JSON.stringify(diagnosis)).not.toContain('canary');
  });
});
