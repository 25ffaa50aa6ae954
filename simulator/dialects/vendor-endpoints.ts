import type { CouncilModel, KeyVendor } from '../../council/models.js';
import { anthropicDialect } from './anthropic-dialect.js';
import type { Dialect } from './dialect.js';
import { googleDialect } from './google-dialect.js';
import { openAiDialect } from './openai-dialect.js';
import { openRouterDialect } from './openrouter-dialect.js';

/** A simulated vendor: its path, its wire format and the council member that answers there. */
export interface VendorEndpoint {
  readonly vendor: KeyVendor;
  /** The member that answers for a model; null if the vendor does not know the model. */
  memberOf(modelId: string): CouncilModel | null;
  /** First segment of the path. */
  readonly prefix: string;
  /** The adapter's base URL without the server's address. */
  readonly basePath: string;
  readonly dialect: Dialect;
}

/** OpenRouter's model ids start with the model's author. */
const memberByAuthor: ReadonlyMap<string, CouncilModel> = new Map([
  ['anthropic', 'claude'],
  ['openai', 'gpt'],
  ['google', 'gemini'],
  ['x-ai', 'grok'],
]);

export const vendorEndpoints: Readonly<Record<KeyVendor, VendorEndpoint>> = {
  openai: {
    vendor: 'openai',
    memberOf: () => 'gpt',
    prefix: '/openai',
    basePath: '/openai/v1',
    dialect: openAiDialect('openai'),
  },
  anthropic: {
    vendor: 'anthropic',
    memberOf: () => 'claude',
    prefix: '/anthropic',
    basePath: '/anthropic',
    dialect: anthropicDialect,
  },
  google: {
    vendor: 'google',
    memberOf: () => 'gemini',
    prefix: '/google',
    basePath: '/google',
    dialect: googleDialect,
  },
  xai: {
    vendor: 'xai',
    memberOf: () => 'grok',
    prefix: '/xai',
    basePath: '/xai/v1',
    dialect: openAiDialect('xai'),
  },
  openrouter: {
    vendor: 'openrouter',
    memberOf: modelId => memberByAuthor.get(/^([^/]+)\/./.exec(modelId)?.[1] ?? '') ?? null,
    prefix: '/openrouter',
    basePath: '/openrouter/api/v1',
    dialect: openRouterDialect,
  },
};
