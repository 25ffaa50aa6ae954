import type { Caller } from './caller.js';
import { CouncilProblem } from './council-problem.js';
import type { AnswerAt, Endpoint } from './request-options.js';
import { pause } from './retries.js';

const pauseBeforeSecondTrySeconds = 0.25;

/**
 * Sends what spends. If the response is lost, or the service cannot tell the outcome, sends it once more under the same
 * key, so that it is done once.
 * @throws CouncilProblem `purchase_unknown` if that does not tell it either
 */
export async function sendUnderKey<Name extends Endpoint>(
  caller: Caller,
  endpoint: Name,
  {
    body,
    idempotencyKey,
    signal,
  }: {
    readonly body: unknown;
    readonly idempotencyKey: string;
    readonly signal: AbortSignal | undefined;
  },
): Promise<AnswerAt<Name>> {
  const headers = { 'idempotency-key': idempotencyKey };
  const send = () => caller.request(endpoint, { body, headers, signal });
  try {
    return await send().catch(async (error: unknown) => {
      if (!isLost(error)) throw error;
      await pause((error.retryAfterSeconds ?? pauseBeforeSecondTrySeconds) * 1_000, signal);
      return send();
    });
  } catch (cause) {
    if (!isLost(cause)) throw cause;
    const { retryAfterSeconds, baseUrl } = cause;
    const detail = 'The purchase was sent, but its outcome is unknown.';
    throw new CouncilProblem('purchase_unknown', detail, { baseUrl, retryAfterSeconds, cause });
  }
}

/** The API may have processed the request although no usable response arrived, or says that it does not know. */
function isLost(error: unknown): error is CouncilProblem {
  if (!(error instanceof CouncilProblem)) return false;
  return error.code === 'unreachable' || error.code === 'unexpected_answer' || error.outcome === 'unknown';
}

const keyBytes = 16;

/** `crypto.randomUUID` is missing on pages without TLS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
