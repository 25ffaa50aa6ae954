import { z } from 'zod';
import type { ChatError } from './chat-dialect.js';

/**
 * What OpenRouter's `error` object says, wherever it stands: in the body of an HTTP error, in one with status 200,
 * or in a choice. Of any other format: nothing.
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

export interface OpenRouterError extends ChatError {
  /** The HTTP status that the failure would have had by itself; null when it names none. */
  readonly status: number | null;
}

const failedStatus = z.coerce.number().pipe(z.int().min(400).max(599)).nullable().catch(null);
const word = z.string().nullable().catch(null);
const words = z.array(z.unknown()).catch([]);

const metadataShape = z.object({
  error_type: word,
  limit_source: word,
  /** Of a moderation: why, and the text that was flagged. */
  reasons: words,
  flagged_input: word,
  /** Of a guardrail that the key's owner set up. */
  patterns: words,
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

/** OpenRouter's own words for what its statuses do not tell apart. The words not listed add nothing to the status. */
const codes: ReadonlyMap<string, string> = new Map([
  // The key's running requests hold its credits: that passes, unlike every other want of credits.
  ['openrouter_in_flight_budget', 'budget_in_flight'],
  ['openrouter_credits', 'insufficient_quota'],
  ['openrouter_key_limit', 'insufficient_quota'],
  ['openrouter_guardrail_budget', 'insufficient_quota'],
  ['openrouter_workspace_budget', 'insufficient_quota'],
  ['content_policy_violation', 'content_filter'],
  ['refusal', 'content_filter'],
]);
