import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Anthropic } from '@anthropic-ai/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ModelProvider } from '../../../providers/model-provider.js';
import { openProviders } from '../../../providers/open-providers.js';
import {
  type Adapter,
  adapters,
  everyVendorAt,
  liveSettings,
  memberBehind,
  shippedCatalogue,
} from '../catalogue.js';
import { question, searchQuestion } from '../questions.js';
import { json, startRawServer } from './raw-server.js';

/** A key, an address or a header of somebody else. */
const foreign = 'foreign-0123456789';

/** Every header that a vendor or a proxy before it could read a credential, a payer or a wire format from. */
const headersToReplace = [
  'Authorization: Bearer',
  'x-api-key:',
  'X-Goog-Api-Key:',
  'api-key:',
  'Proxy-Authorization: Basic',
  'Cookie: session=',
  'OpenAI-Organization:',
  'OpenAI-Project:',
  'anthropic-version:',
  'anthropic-beta:',
  'anthropic-workspace-id:',
  'HTTP-Referer:',
  'User-Agent:',
  'Accept:',
  'Content-Type:',
  'X-Foreign:',
];

/** Of the machine, not of the SDKs. */
const machineVariables = new Set(['PATH', 'HOME', 'APPDATA', 'USERPROFILE', 'XDG_CONFIG_HOME']);

/** Read from the SDKs' code, so that a variable which a new version reads is tested at once. */
const variables = ['openai', '@anthropic-ai/sdk', '@google/generative-ai'].flatMap(variablesReadBy);

function variablesReadBy(sdk: string): string[] {
  const folder = join('node_modules', sdk);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.m?js$/.test(file))
    .flatMap(file => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(
        /(?:readEnv\(|\benv\??\.?\[)['"]([A-Z][A-Z0-9_]+)['"]/g,
      ),
    ])
    .map(([, name = '']) => name);
  return [...new Set(names)].filter(name => !machineVariables.has(name));
}

function foreignValueOf(variable: string): string {
  if (variable.endsWith('_CUSTOM_HEADERS'))
    return headersToReplace.map(name => `${name} ${foreign}`).join('\n');
  if (/_(URL|ENDPOINT)$/.test(variable)) return `http://127.0.0.1:1/${foreign}`;
  if (variable.endsWith('_LOG')) return 'debug';
  return variable.includes('TELEMETRY') ? 'true' : foreign;
}

const environment = { ...process.env };
let server: Awaited<ReturnType<typeof startRawServer>>;

beforeAll(async () => {
  server = await startRawServer(json(401, {}));
});
afterEach(() => {
  process.env = { ...environment };
  jest.restoreAllMocks();
});
afterAll(() => server.close());

const houseKeys = { openai: 'house-o', anthropic: 'house-a', google: 'house-g', xai: 'house-x' };
const callersKeys = { openai: 'caller-o', anthropic: 'caller-a', google: 'caller-g', xai: 'caller-x' };

/** The adapters as a worker makes them, with the keys of the house or of a caller. */
async function adaptersWith(whose: 'house' | 'caller'): Promise<Record<Adapter, ModelProvider>> {
  const { providers, providersWith } = await openProviders(
    liveSettings(houseKeys, everyVendorAt(server.url)),
    shippedCatalogue(),
  );
  const openrouter = providersWith({ openrouter: `${whose}-r` })[memberBehind('openrouter')];
  return { ...(whose === 'house' ? providers : providersWith(callersKeys)), openrouter };
}

/** The bytes of the headers of the three requests that an adapter makes. */
async function headersOf(adapter: Adapter, whose: 'house' | 'caller'): Promise<string[][]> {
  server.requests.length = 0;
  const provider = (await adaptersWith(whose))[adapter];
  const limits = { timeoutMs: 20_000, signal: new AbortController().signal };
  await provider.ask(question('opinion')).catch(() => undefined);
  await provider.search(searchQuestion()).catch(() => undefined);
  await provider.checkModel(limits).catch(() => undefined);
  return server.requests.map(({ rawHeaders }: IncomingMessage) => rawHeaders);
}

/** The only headers with a credential that the vendor may receive. */
const credentials: Readonly<Record<Adapter, (whose: string) => [name: string, value: string][]>> = {
  gpt: whose => [['authorization', `Bearer ${whose}-o`]],
  grok: whose => [['authorization', `Bearer ${whose}-x`]],
  openrouter: whose => [['authorization', `Bearer ${whose}-r`]],
  claude: whose => [
    ['authorization', `Bearer ${whose}-a`],
    ['x-api-key', `${whose}-a`],
  ],
  gemini: whose => [['x-goog-api-key', `${whose}-g`]],
};

const harmless =
  /^(accept|accept-encoding|accept-language|anthropic-version|connection|content-length|content-type|host|sec-fetch-mode|user-agent|x-goog-api-client|x-grok-conv-id)$/;

function pairsOf(rawHeaders: readonly string[]): [name: string, value: string][] {
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? ''] as [string, string]] : [],
  );
}

describe('the environment variables that the SDKs read', () => {
  test('are found in their code', () => {
    expect(variables).toEqual(
      expect.arrayContaining([
        'OPENAI_API_KEY',
        'OPENAI_ADMIN_KEY',
        'OPENAI_BASE_URL',
        'OPENAI_CUSTOM_HEADERS',
        'OPENAI_LOG',
        'OPENAI_ORG_ID',
        'OPENAI_PROJECT_ID',
        'ANTHROPIC_API_KEY',
        'ANTHROPIC_AUTH_TOKEN',
        'ANTHROPIC_BASE_URL',
        'ANTHROPIC_CUSTOM_HEADERS',
        'ANTHROPIC_LOG',
        'ANTHROPIC_PROFILE',
        'ANTHROPIC_WORKSPACE_ID',
      ]),
    );
  });

  test.each(adapters.flatMap(adapter => [[adapter, 'house'] as const, [adapter, 'caller'] as const]))(
    'change no byte of the headers of %s with the key of a %s, and cause no log',
    async (adapter, whose) => {
      const untouched = await headersOf(adapter, whose);
      const logs = (['debug', 'info', 'log', 'warn', 'error'] as const).map(level =>
        jest.spyOn(console, level).mockImplementation(() => undefined),
      );
      for (const name of variables) process.env[name] = foreignValueOf(name);
      const sent = await headersOf(adapter, whose);
      expect(sent).toHaveLength(3);
      expect(sent).toEqual(untouched);
      expect(JSON.stringify(sent)).not.toContain(foreign);
      for (const headers of sent) {
        const notHarmless = pairsOf(headers).filter(([name]) => !harmless.test(name));
        expect(Object.fromEntries(notHarmless)).toEqual(Object.fromEntries(credentials[adapter](whose)));
        expect(notHarmless).toHaveLength(credentials[adapter](whose).length);
      }
      for (const log of logs) expect(log).not.toHaveBeenCalled();
    },
  );
});

test('the adapter for Anthropic states the API version of its SDK', async () => {
  let version: string | null = null;
  const client = new Anthropic({
    apiKey: foreign,
    fetch: async (_, init) => {
      version = new Headers(init?.headers).get('anthropic-version');
      return Response.json({ id: 'x' });
    },
  });
  await client.models.retrieve('x');
  const [asked = []] = await headersOf('claude', 'house');
  expect(pairsOf(asked)).toContainEqual(['anthropic-version', version]);
});
