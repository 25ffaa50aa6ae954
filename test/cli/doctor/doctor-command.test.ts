import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Simulator, startSimulator } from '../../../providers/simulator/simulator.js';
import { runDoctor as doctor } from './run-doctor.js';

const secret = 'sk-canary-0123456789';
const keys = {
  OPENAI_API_KEY: secret,
  ANTHROPIC_API_KEY: secret,
  GEMINI_API_KEY: secret,
  XAI_API_KEY: secret,
};

let simulator: Simulator;
let addresses: Record<string, string>;

beforeAll(async () => {
  simulator = await startSimulator();
  addresses = {
    OPENAI_BASE_URL: simulator.baseUrls.openai,
    ANTHROPIC_BASE_URL: simulator.baseUrls.anthropic,
    GEMINI_BASE_URL: simulator.baseUrls.google,
    XAI_BASE_URL: simulator.baseUrls.xai,
  };
});
afterAll(() => simulator.close());

describe('council doctor', () => {
  test('asks each vendor once, and says that all would answer', async () => {
    const before = simulator.calls.length;
    const { code, out } = await doctor({ ...keys, ...addresses });
    expect(code).toBe(0);
    expect(out).toContain('4 of 4 models would answer.');
    const asked = simulator.calls.slice(before).map(call => `${call.model} ${call.stage}`);
    expect(asked).toHaveLength(4);
    expect(new Set(asked)).toEqual(
      new Set(['claude', 'gemini', 'gpt', 'grok'].map(model => `${model} opinions`)),
    );
  });

  test('says of each that would not what to do about it, and does not end well', async () => {
    simulator.setFault({ model: 'gpt' }, { kind: 'http', status: 401 });
    simulator.setFault({ model: 'claude' }, { kind: 'http', status: 404 });
    simulator.setFault({ model: 'grok' }, { kind: 'invalid_json' });
    const { code, out } = await doctor({ ...keys, ...addresses });
    simulator.clearFaults();
    expect(code).toBe(1);
    expect(out).toMatch(/gpt .* would drop out, unauthorised \(HTTP 401\): .*OPENAI_API_KEY/);
    expect(out).toMatch(/claude .* \(HTTP 404\): .*model_id in providers\/models\.yaml/);
    expect(out).toMatch(/grok .* invalid answer/);
    expect(out).toMatch(/gemini .* works/);
    expect(out).toContain('1 of 4 models would answer: too few');
  });

  test('takes a vendor without a key for a choice, and the rest for a degraded council', async () => {
    const { OPENAI_API_KEY, XAI_API_KEY } = keys;
    const { code, out } = await doctor({ OPENAI_API_KEY, XAI_API_KEY, ...addresses }, '--json');
    expect(code).toBe(0);
    const report = JSON.parse(out);
    expect(report).toMatchObject({ providers: 'live', quorum: true });
    expect(report.models.map(({ model, configured, works }: any) => [model, configured, works])).toEqual([
      ['claude', false, false],
      ['gpt', true, true],
      ['gemini', false, false],
      ['grok', true, true],
    ]);
  });

  test('prints one JSON document also when not all is well', async () => {
    const { code, out } = await doctor(
      { OPENAI_API_KEY: secret, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
      '--json',
    );
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ quorum: false });
  });

  test('says that models are simulated when they are', async () => {
    const { code, out } = await doctor({});
    expect(code).toBe(0);
    expect(out).toContain('SIMULATED: no vendor was asked');
  });
});

describe('a vendor that repeats the key in its answer', () => {
  let server: Server;
  let echo: string;

  beforeAll(async () => {
    server = createServer((request: IncomingMessage, response: ServerResponse) => {
      const told = JSON.stringify(request.headers);
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: told, type: told, code: told, status: told } }));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    echo = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
  });

  test.each([[[]], [['--json']]])('does not make the doctor print it (%j)', async args => {
    const everywhere = {
      OPENAI_BASE_URL: echo,
      ANTHROPIC_BASE_URL: echo,
      GEMINI_BASE_URL: echo,
      XAI_BASE_URL: echo,
    };
    const { code, out, err } = await doctor({ ...keys, ...everywhere }, ...args);
    expect(code).toBe(1);
    expect(out).toMatch(/401/);
    expect(`${out}${err}`).not.toContain('canary');
  });
});
