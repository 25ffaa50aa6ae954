import type { DropoutKind } from '../../council/deliberation/members.js';
import type { CallStage } from '../../council/deliberation/stages.js';
import type { CouncilModel } from '../../council/models.js';
import type { Db } from '../database.js';

/**
 * Every model call that returned, paid or failed. Invariants:
 * - rows are only added, and a call has one row, however often it is recorded;
 * - they feed the quote, and no figure of them is shown to callers.
 */
export interface ProviderCall {
  /** A UUID. Recording the same call again changes nothing. */
  readonly callId: string;
  readonly reportId: number;
  readonly stage: CallStage;
  readonly model: CouncilModel;
  readonly modelId: string;
  readonly outcome: 'answered' | DropoutKind;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Web searches. */
  readonly searches: number;
  readonly costUsdMicros: number;
  readonly latencyMs: number;
  readonly simulated: boolean;
  readonly now: Date;
}

export async function recordProviderCall(db: Db, call: ProviderCall): Promise<void> {
  await insertProviderCall(db, call).execute();
}

/** The same as a query, for statements that write more than the call. */
export function insertProviderCall(db: Pick<Db, 'insertInto'>, call: ProviderCall) {
  return db
    .insertInto('provider_calls')
    .values(providerCallRow(call))
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
    output_tokens: call.outputTokens,
    searches: call.searches,
    cost_usd_micros: call.costUsdMicros,
    latency_ms: call.latencyMs,
    simulated: call.simulated,
    called_at: call.now,
  };
}
