import { z } from 'zod';
import type { ModelAnswer } from '../model-provider.js';
import { type ChatError, readOpenAiAnswer, readOpenAiUsage } from './chat-dialect.js';
import { classifyHttpFailure, unusableAnswer } from './failures.js';

/**
 * Reads the body of a chat completion from OpenRouter. OpenRouter responds with status 200 as soon as a model
 * starts, so later failures are in the body: at the top level or in the choice.
 *
 * @throws ProviderError classified by the status in the body; otherwise the same as {@link readOpenAiAnswer}.
 */
export function readOpenRouterAnswer(body: unknown, modelId: string): ModelAnswer {
  const error = errorIn(body);
  if (error === null) return readOpenAiAnswer(body, modelId);
  const { status, code, retryDelay } = readOpenRouterError(error);
  const usage = readOpenAiUsage(body, modelId);
  if (status === null) throw unusableAnswer('invalid_answer', usage);
  throw classifyHttpFailure({ status, headers: null, code, retryDelay, usage, nowMs: Date.now() });
}

const holderShape = z.object({ error: z.unknown().optional() }).catch({ error: null });
const bodyShape = holderShape.unwrap().extend({ choices: z.array(holderShape).catch([]) });

export function errorIn(body: unknown): unknown {
  const read = bodyShape.safeParse(body).data;
  return read?.error ?? read?.choices[0]?.error ?? null;
}

/**
 * Reads OpenRouter's `error` object, which can be in the body of an HTTP error, in a body with status 200 or
 * in a choice. Unknown formats are ignored.
 */
export function readOpenRouterError(error: unknown): OpenRouterError {
  const { code, http_status: httpStatus, metadata, availability } = errorShape.parse(error);
  const delay = availability.retry_after;
  return {
    status: code ?? httpStatus,
    code: isFlagged(metadata) ? 'content_filter' : codeOf(metadata),
    retryDelay: delay === null ? null : `${delay}s`,
  };
}

interface OpenRouterError extends ChatError {
  /** The HTTP status that the error object states; null if it states none. */
  readonly status: number | null;
}

const failedStatus = z.coerce.number().pipe(z.int().min(400).max(599)).nullable().catch(null);
const text = z.string().nullable().catch(null);
const list = z.array(z.unknown()).catch([]);

const metadataShape = z.object({
  error_type: text,
  limit_source: text,
  /** Set by moderation: the reasons and the flagged text. */
  reasons: list,
  flagged_input: text,
  /** Set by a guardrail that the key's owner configured. */
  patterns: list,
});

const availabilityShape = z.object({ retry_after: z.number().nonnegative().nullable().catch(null) });

const contentShape = z.object({
  code: failedStatus,
  http_status: failedStatus,
  metadata: metadataShape.catch(metadataShape.parse({})),
  availability: availabilityShape.catch(availabilityShape.parse({})),
});

const errorShape = contentShape.catch(contentShape.parse({}));

type Metadata = z.infer<typeof metadataShape>;

function isFlagged({ reasons, flagged_input: flagged, patterns }: Metadata): boolean {
  return reasons.length > 0 || patterns.length > 0 || (flagged ?? '') !== '';
}

function codeOf({ limit_source: source, error_type: type }: Metadata): string | null {
  return codes.get(source ?? '') ?? codes.get(type ?? '') ?? null;
}

/** OpenRouter's names for errors that share a status. Names not listed here add no information. */
const codes: ReadonlyMap<string, string> = new Map([
  // Running requests have reserved the key's credits. Retryable, unlike all other credit errors.
  ['openrouter_in_flight_budget', 'budget_in_flight'],
  ['openrouter_credits', 'insufficient_quota'],
  ['openrouter_key_limit', 'insufficient_quota'],
  ['openrouter_guardrail_budget', 'insufficient_quota'],
  ['openrouter_workspace_budget', 'insufficient_quota'],
  ['content_policy_violation', 'content_filter'],
  ['refusal', 'content_filter'],
]);
