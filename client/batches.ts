import type { Batch, BatchChanges, BatchList, BatchPlan, BatchRowList, NewBatch } from './api-types.js';
import { BatchResults } from './batch-files.js';
import { CouncilProblem } from './council-problem.js';
import type { Cancellable } from './reports.js';
import type { QueryAt } from './request-options.js';
import { newKey, sendUnderKey } from './send-under-key.js';

/** A batch without `dry_run`, which decides what is answered. */
export type BatchToCreate = Omit<NewBatch, 'dry_run'>;

/** Many reports, bought one after the other within a budget. */
export class Batches extends BatchResults {
  /** What a batch would cost now, and what each report would. Buys and stores nothing. */
  async plan(batch: BatchToCreate, { signal }: Cancellable = {}): Promise<BatchPlan> {
    const answer = await this.send({ ...batch, dry_run: true }, newKey(), signal);
    if ('batch_id' in answer) throw this.unexpected();
    return answer;
  }

  /**
   * Creates and starts a batch. If the response is lost, or the service cannot tell the outcome, sends it once more under
   * the same key, so that there is one batch.
   *
   * @param idempotencyKey Default: a new one for each call.
   * @throws CouncilProblem `purchase_unknown` if that does not tell it either
   */
  async create(
    batch: BatchToCreate,
    { idempotencyKey = newKey(), signal }: Cancellable & { readonly idempotencyKey?: string } = {},
  ): Promise<Batch> {
    const answer = await this.send({ ...batch, dry_run: false }, idempotencyKey, signal);
    if ('batch_id' in answer) return answer;
    throw this.unexpected();
  }

  /** @param waitSeconds how long the API may hold the response until something of the batch changes; at most 50 */
  get(
    id: string,
    { waitSeconds = 0, signal }: Cancellable & { readonly waitSeconds?: number } = {},
  ): Promise<Batch> {
    return this.caller.requestHeld('GET /api/batches/{id}', { path: { id }, waitSeconds, signal });
  }

  /** The batches of the account, newest first, a page at a time. */
  list(query: QueryAt<'GET /api/batches'> = {}, { signal }: Cancellable = {}): Promise<BatchList> {
    return this.caller.request('GET /api/batches', { query, signal });
  }

  /** The rows of a batch in their order. Pass `next` of the answer as `after` for the next ones. */
  rows(
    id: string,
    query: QueryAt<'GET /api/batches/{id}/rows'> = {},
    { signal }: Cancellable = {},
  ): Promise<BatchRowList> {
    return this.caller.request('GET /api/batches/{id}/rows', { path: { id }, query, signal });
  }

  /** Pauses, resumes or cancels a batch, or changes its budget. What runs ends in any case. */
  update(id: string, changes: BatchChanges, { signal }: Cancellable = {}): Promise<Batch> {
    return this.caller.request('PATCH /api/batches/{id}', { path: { id }, body: changes, signal });
  }

  /** Has failed and refused rows tried again. */
  retry(id: string, { signal }: Cancellable = {}): Promise<Batch> {
    return this.caller.request('POST /api/batches/{id}/retry', { path: { id }, signal });
  }

  private send(body: NewBatch, idempotencyKey: string, signal: AbortSignal | undefined) {
    return sendUnderKey(this.caller, 'POST /api/batches', { body, idempotencyKey, signal });
  }

  private unexpected(): CouncilProblem {
    const { baseUrl } = this.caller;
    return new CouncilProblem('unexpected_answer', 'The response is of another kind.', { baseUrl });
  }
}
