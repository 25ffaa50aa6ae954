import type { DropoutKind } from '../council/deliberation/members.js';
import type { Research } from '../council/evidence/research.js';
import type { AnswerLimits } from './answer-limits.js';

/** One model of one vendor. Temporal does the retries: `ask` and `checkModel` make exactly one HTTP request. */
export interface ModelProvider {
  /** @throws ProviderError, or the reason of `question.signal` if it was aborted. Nothing else. */
  ask(question: ModelQuestion): Promise<ModelAnswer>;
  /**
   * Lets the model search the web and answer in free text, with the vendor's own citations. Makes further requests only
   * to repeat a search without the list of blocked hosts, if the vendor refuses the list, and to continue an answer that
   * the vendor paused, each once; all share the time and the usage of the first.
   *
   * @throws Same as `ask`.
   */
  search(question: SearchQuestion): Promise<SearchAnswer>;
  /**
   * Retrieves the configured model's metadata from the vendor, at no cost. Resolves if the vendor knows the
   * model and accepts the key.
   *
   * @throws Same as `ask`. A model that the vendor does not know is `unavailable` with status 404.
   */
  checkModel(limits: CallLimits): Promise<void>;
}

export interface CallLimits {
  /** Limit for the whole call, including connecting. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface ModelQuestion extends CallLimits, AnswerLimits {
  readonly system: string;
  readonly user: string;
  /** How many characters of `user`, from its beginning, the member's other questions on the same report begin with. */
  readonly sharedChars: number;
  /** Name and JSON schema of the answer. */
  readonly schemaName: string;
  readonly schema: JsonSchema;
}

export interface SearchQuestion extends CallLimits, AnswerLimits {
  readonly system: string;
  readonly user: string;
  /** Hosts, subdomains included, that the search should leave out, the most important first; adapters cut the list. */
  readonly blockedHosts: readonly string[];
  readonly maxSearches: number;
}

export interface SearchAnswer extends ModelUsage, Pick<Research, 'text' | 'citations'> {
  /** Counted in the answer, not taken from the request: vendors exceed the maximum. */
  readonly searches: number;
  /** `refused`: the vendor rejected the list, and searched without it. `unsupported`: it takes no such list. */
  readonly blockList: 'sent' | 'refused' | 'unsupported';
}

export interface ModelAnswer extends ModelUsage {
  /** The model's raw output: untrusted and not yet parsed. */
  readonly text: string;
}

/** What the vendor bills for a call. */
export interface ModelUsage {
  readonly modelId: string;
  /** All input, also what the vendor's prompt cache served or stored. */
  readonly inputTokens: number;
  /** The part of the input that the vendor's prompt cache served. Absent: none. */
  readonly cachedInputTokens?: number;
  /** The part of the input that the vendor stored in its prompt cache and bills as such. Absent: none. */
  readonly cacheWriteTokens?: number;
  readonly outputTokens: number;
  /** Web searches. Absent: none. */
  readonly searches?: number;
}

/** The two parts of the input that concern the prompt cache, without those that are zero. */
export function cacheTokens(
  read: number,
  written: number,
): Pick<ModelUsage, 'cachedInputTokens' | 'cacheWriteTokens'> {
  return {
    ...(read > 0 ? { cachedInputTokens: read } : {}),
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
  };
}

export type JsonSchema = { readonly [key: string]: unknown };

/**
 * The only error that an adapter throws. Its message never contains the vendor's text, which could quote a
 * key.
 */
export class ProviderError extends Error {
  readonly kind: DropoutKind;
  readonly retryable: boolean;
  /** The delay that the vendor requested, for example with `Retry-After`; null if it requested none. */
  readonly retryAfterMs: number | null;
  /** Null if there was no HTTP response. */
  readonly status: number | null;
  /**
   * The billed tokens and searches of an unusable answer, or of the requests before the one that failed; null if the
   * vendor reported none.
   */
  readonly usage: ModelUsage | null;
  /**
   * Whether the vendor may bill more than `usage`: it had the request, and its work is not known. Vendors bill no request
   * that they refuse or that fails with an error of theirs; after a time-out or a lost connection they may have worked.
   */
  readonly unreported: boolean;
  /** The answer was cut off at `maxOutputTokens`: with more room, the same question may succeed. */
  readonly truncated: boolean;

  constructor(problem: {
    kind: DropoutKind;
    retryable: boolean;
    retryAfterMs?: number | null;
    status?: number | null;
    usage?: ModelUsage | null;
    /** Default: by kind and status, if there is no usage. */
    unreported?: boolean;
    truncated?: boolean;
  }) {
    const status = problem.status ?? null;
    super(status === null ? problem.kind : `${problem.kind} (HTTP ${status})`);
    this.name = 'ProviderError';
    this.kind = problem.kind;
    this.retryable = problem.retryable;
    this.retryAfterMs = problem.retryAfterMs ?? null;
    this.status = status;
    this.usage = problem.usage ?? null;
    this.unreported = problem.unreported ?? (this.usage === null && mayHaveWorked(this));
    this.truncated = problem.truncated ?? false;
  }
}

/** A status of 200 without usage is an answer that cannot be read; 504 is a time-out within the vendor. */
function mayHaveWorked({ kind, status }: Pick<ProviderError, 'kind' | 'status'>): boolean {
  return (
    kind === 'timed_out' || status === 200 || status === 504 || (kind === 'unavailable' && status === null)
  );
}

/** The settings of an adapter. Adapters read no environment variables and no files. */
export interface ProviderSettings {
  readonly apiKey: string;
  /** The vendor's own name of the model. */
  readonly modelId: string;
  /**
   * Whether the vendor bills what it stores in its prompt cache for this model. Adapters then have it store only what is
   * read again. Default: false.
   */
  readonly billsCacheWrites?: boolean;
  /** Unset: the vendor's public address. */
  readonly baseUrl?: string | undefined;
}
