import type { BatchEvent, BatchManifest } from './api-types.js';
import { type BatchEventsOptions, batchEvents } from './batch-events.js';
import type { Caller } from './caller.js';
import { CouncilProblem } from './council-problem.js';
import type { Cancellable } from './reports.js';
import type { QueryAt } from './request-options.js';
import { withRetries } from './retries.js';

export type BatchResultsFormat = NonNullable<QueryAt<'GET /api/batches/{id}/results'>['format']>;

/** What became of the rows of a batch. */
export class BatchResults {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /**
   * The file of the results, in the order of the rows. Once the batch has ended its bytes do not change, and are compared
   * with the `Digest` of the response where the platform can hash.
   * @param format Default: `ndjson`.
   * @throws CouncilProblem `unexpected_answer` if the file differs from its digest
   */
  async results(
    id: string,
    format: BatchResultsFormat = 'ndjson',
    { signal }: Cancellable = {},
  ): Promise<string> {
    const { baseUrl, retryWithinSeconds } = this.caller;
    const read = async () => {
      const response = await this.caller.send('GET /api/batches/{id}/results', {
        path: { id },
        query: { format },
        headers: { accept: '*/*' },
        signal,
      });
      return { bytes: await response.arrayBuffer(), digest: response.headers.get('digest') };
    };
    const { bytes, digest } = await withRetries(() => read().catch(asProblem(baseUrl, signal)), {
      isRepeatable: true,
      withinSeconds: retryWithinSeconds,
      signal,
    });
    if (await differs(bytes, digest))
      throw new CouncilProblem('unexpected_answer', 'The file differs from its digest.', { baseUrl });
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }

  /**
   * What to cite of a batch that has ended: methods, weights, models, and the hash of each file.
   * @throws CouncilProblem `not_found` before it has ended
   */
  manifest(id: string, { signal }: Cancellable = {}): Promise<BatchManifest> {
    return this.caller.request('GET /api/batches/{id}/manifest', { path: { id }, signal });
  }

  /**
   * What happens to the rows, from the beginning to the end of the batch. Connects again after an interruption and goes on
   * after the last event, without a gap or a repeat.
   * @throws CouncilProblem if the stream is refused, or cannot be opened within `retryWithinSeconds`
   */
  events(id: string, options: BatchEventsOptions = {}): AsyncGenerator<BatchEvent, void, undefined> {
    return batchEvents(this.caller, id, {
      ...options,
      reconnectWithinSeconds: this.caller.retryWithinSeconds,
    });
  }
}

/** A body that breaks off is no answer. */
function asProblem(baseUrl: string, signal: AbortSignal | undefined): (error: unknown) => never {
  return cause => {
    signal?.throwIfAborted();
    if (cause instanceof CouncilProblem) throw cause;
    throw new CouncilProblem('unreachable', 'The file broke off.', { baseUrl, cause });
  };
}

const digestPrefix = 'sha-256=';

/** Pages without TLS cannot hash. */
async function differs(bytes: ArrayBuffer, digest: string | null): Promise<boolean> {
  if (digest === null || !digest.startsWith(digestPrefix) || !('subtle' in crypto)) return false;
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return btoa(String.fromCharCode(...hash)) !== digest.slice(digestPrefix.length);
}
