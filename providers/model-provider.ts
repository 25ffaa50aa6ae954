import type { DropoutKind } from '../council/deliberation/members.js';

/** One model of one vendor. An adapter makes exactly one HTTP call per method call; retries belong to Temporal. */
export interface ModelProvider {
  /** @throws ProviderError; or the reason of `question.signal`, when that was aborted; and nothing else. */
  ask(question: ModelQuestion): Promise<ModelAnswer>;
  /**
   * Asks the vendor for the card of the configured model, which costs nothing. Resolves when the vendor knows the
   * model and takes the key.
   *
   * @throws As `ask` does. A model that the vendor does not know is `unavailable` with status 404.
   */
  checkModel(limits: CallLimits): Promise<void>;
}

export interface CallLimits {
  /** The whole call, connection included. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface ModelQuestion extends CallLimits {
  readonly system: string;
  readonly user: string;
  /** Name and JSON schema of the answer (`contract` §8). */
  readonly schemaName: string;
  readonly schema: JsonSchema;
  readonly maxOutputTokens: number;
}

export interface ModelAnswer extends ModelUsage {
  /** The model's text as it came: untrusted, not yet parsed. */
  readonly text: string;
}

/** What the vendor charges a call for. */
export interface ModelUsage {
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
  /** The tokens of an answer that was paid for and cannot be used; null when the vendor told of none. */
  readonly usage: ModelUsage | null;

  constructor(problem: {
    kind: DropoutKind;
    retryable: boolean;
    retryAfterMs?: number | null;
    status?: number | null;
    usage?: ModelUsage | null;
  }) {
    const status = problem.status ?? null;
    super(status === null ? problem.kind : `${problem.kind} (HTTP ${status})`);
    this.name = 'ProviderError';
    this.kind = problem.kind;
    this.retryable = problem.retryable;
    this.retryAfterMs = problem.retryAfterMs ?? null;
    this.status = status;
    this.usage = problem.usage ?? null;
  }
}

/** What every adapter is built from. Nothing else is read: no environment variable, no file. */
export interface ProviderSettings {
  readonly apiKey: string;
  /** The vendor's own name of the model. */
  readonly modelId: string;
  /** Unset: the vendor's public address. */
  readonly baseUrl?: string | undefined;
}
