import type { JsonSchema } from '../model-provider.js';

/** One vendor's wire format, from the server's side. */
export interface Dialect {
  /** The HTTP header in which the vendor expects the key. */
  readonly keyHeader: string;
  /** True for the path (below the vendor's prefix) at which this vendor's models are asked. */
  isAsk(path: string): boolean;
  /** @throws ZodError or BadAsk for a request that the vendor would answer with 400. */
  readAsk(body: unknown, path: string): Ask;
  reply(ask: Ask, answer: Answer): WireReply;
  /** What comes before the model's id in the path of its card. */
  readonly cardFolder: string;
  /** What comes after it, at a vendor whose ids keep their slash there. */
  readonly cardEnd?: string;
  /** What the vendor tells of a model that it knows. */
  card(modelId: string): unknown;
  /** The body of an error in the vendor's shape. */
  error(failure: WireFailure): unknown;
}

/** What a vendor was asked, whatever the format it came in. */
export interface Ask {
  readonly modelId: string;
  readonly system: string;
  readonly user: string;
  /** Only OpenAI's format names the schema. */
  readonly schemaName: string | null;
  readonly schema: JsonSchema;
}

export interface Answer {
  /** The same for the same question: no clock and no counter goes into an answer. */
  readonly id: string;
  readonly text: string;
  readonly ending: 'complete' | 'truncated' | 'refused' | 'filtered';
}

export interface WireReply {
  readonly status: number;
  readonly body: unknown;
}

export interface WireFailure {
  readonly status: number;
  /** The vendor's own error code or type; null for the usual one of the status. */
  readonly code: string | null;
  /** As in the `Retry-After` header. */
  readonly retryAfter: string | null;
  readonly message: string;
}

/** A request that the vendor would refuse. */
export class BadAsk extends Error {}

/** Vendors count tokens, the simulator characters: about four make a token. */
export function tokensIn(...texts: readonly string[]): number {
  return Math.ceil(texts.join('').length / 4);
}
