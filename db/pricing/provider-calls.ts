import { type RawBuilder, sql } from 'kysely';
import type { DropoutKind } from '../../council/deliberation/members.js';
import type { CallStage } from '../../council/deliberation/stages.js';
import type { CouncilModel } from '../../council/models.js';
import type { Db } from '../database.js';

/** How a call ended. `aborted`: the run was cancelled, or the worker ended, while the vendor had the request. */
export type CallOutcome = 'answered' | 'aborted' | DropoutKind;

/**
 * Every model call that was sent, paid or failed. Invariants:
 * - rows are only added, and a call has one row, however often it is recorded; only `used` becomes true later;
 * - what the vendor reported feeds the quote; what is estimated counts for the ceilings only;
 * - no figure of them is shown to callers.
 */
export interface ProviderCall {
  /** A UUID. Recording the same call again changes nothing. */
  readonly callId: string;
  readonly reportId: number;
  readonly stage: CallStage;
  readonly model: CouncilModel;
  readonly modelId: string;
  readonly outcome: CallOutcome;
  /** All input. The next two are parts of it: what the vendor's prompt cache served, and what it stored there. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** Web searches. */
  readonly searches: number;
  /** The cost of the usage that the vendor reported. */
  readonly costUsdMicros: number;
  /** The most that the vendor may bill besides, for usage that it did not report. 0 if it reported all. */
  readonly estimatedUsdMicros: number;
  readonly latencyMs: number;
  readonly simulated: boolean;
  readonly now: Date;
}

/** Records a call whose answer is not used. */
export async function recordProviderCall(db: Db, call: ProviderCall): Promise<void> {
  await insertProviderCall(db, call, sql<boolean>`false`).execute();
}

/**
 * The same as a query, for statements that write more than the call.
 * @param used whether its answer becomes the member's answer at the stage
 */
export function insertProviderCall(
  db: Pick<Db, 'insertInto'>,
  call: ProviderCall,
  used: RawBuilder<boolean>,
) {
  return db
    .insertInto('provider_calls')
    .values({ ...providerCallRow(call), used })
    .onConflict(conflict => conflict.column('call_id').doNothing());
}

function providerCallRow(call: ProviderCall) {
  return {
    call_id: call.callId,
    report_id: call.reportId,
    stage: call.stage,
    model: call.model,
    model_id: call.modelId,
    outcome: call.outcome,
    input_tokens: call.inputTokens,
    cached_input_tokens: call.cachedInputTokens,
    cache_write_tokens: call.cacheWriteTokens,
    output_tokens: call.outputTokens,
    searches: call.searches,
    cost_usd_micros: call.costUsdMicros,
    estimated_usd_micros: call.estimatedUsdMicros,
    latency_ms: call.latencyMs,
    simulated: call.simulated,
    called_at: call.now,
  };
}
