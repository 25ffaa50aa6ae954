import type { CouncilModel } from '../../council/models.js';
import type { Vendor } from '../vendor.js';
import { anthropicDialect } from './anthropic-dialect.js';
import type { Dialect } from './dialect.js';
import { googleDialect } from './google-dialect.js';
import { openAiDialect } from './openai-dialect.js';

/** Where each vendor is simulated, and which member of the council answers there. */
export interface Seat {
  readonly vendor: Vendor;
  readonly member: CouncilModel;
  /** First part of the path. */
  readonly prefix: string;
  /** What an adapter is given as base URL, after the server's own address. */
  readonly basePath: string;
  readonly dialect: Dialect;
}

export const seats: Readonly<Record<Vendor, Seat>> = {
  openai: {
    vendor: 'openai',
    member: 'gpt',
    prefix: '/openai',
    basePath: '/openai/v1',
    dialect: openAiDialect('openai'),
  },
  anthropic: {
    vendor: 'anthropic',
    member: 'claude',
    prefix: '/anthropic',
    basePath: '/anthropic',
    dialect: anthropicDialect,
  },
  google: {
    vendor: 'google',
    member: 'gemini',
    prefix: '/google',
    basePath: '/google',
    dialect: googleDialect,
  },
  xai: { vendor: 'xai', member: 'grok', prefix: '/xai', basePath: '/xai/v1', dialect: openAiDialect('xai') },
};
