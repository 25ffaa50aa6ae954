import type { DropoutKind } from '../council/dropout.js';

/** One model of one vendor. An adapter makes exactly one HTTP call per `ask`; retries belong to Temporal. */
export interface ModelProvider {
  /** @throws ProviderError; or the reason of `question.signal`, when that was aborted; and nothing else. */
  ask(question: ModelQuestion): Promise<ModelAnswer>;
}

export interface ModelQuestion {
  readonly system: string;
  readonly user: string;
  /** Name and JSON schema of the answer (`contract` §8). */
  readonly schemaName: string;
  readonly schema: JsonSchema;
  readonly maxOutputTokens: number;
  /** The whole call, connection included. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface ModelAnswer {
  /** The model's text as it came: untrusted, not yet parsed. */
  readonly text: string;
  readonly modelId: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type JsonSchema = { readonly [key: string]: unknown };

/** The one error an adapter throws. Its message is made here, never by the vendor, so it can hold no secret. */
export class ProviderError extends Error {
  readonly kind: DropoutKind;
  readonly retryable: boolean;
  /** What the vendor asked for in `Retry-After`, in whatever form; null when it asked for nothing. */
  readonly retryAfterMs: number | null;
  /** HTTP status, when there was an HTTP answer. */
  readonly status: number | null;

  constructor(problem: {
    kind: DropoutKind;
    retryable: boolean;
    retryAfterMs?: number | null;
    status?: number | null;
  }) {
    const status = problem.status ?? null;
    super(status === null ? problem.kind : `${problem.kind} (HTTP ${status})`);
    this.name = 'ProviderError';
    this.kind = problem.kind;
    this.retryable = problem.retryable;
    this.retryAfterMs = problem.retryAfterMs ?? null;
    this.status = status;
  }
}
