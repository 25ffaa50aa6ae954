import type { DropoutKind } from '../../council/deliberation/members.js';
import type { Stage } from '../../council/deliberation/stages.js';
import type { CouncilModel } from '../../council/models.js';
import type { Db } from '../database.js';

/**
 * Every model call that returned, paid or failed. Invariants:
 * - rows are only added;
 * - they feed the quote, and no figure of them is shown to callers.
 */
export interface ProviderCall {
  readonly reportId: number;
  readonly stage: Stage;
  readonly model: CouncilModel;
  readonly modelId: string;
  readonly outcome: 'answered' | DropoutKind;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsdMicros: number;
  readonly latencyMs: number;
  readonly simulated: boolean;
  readonly now: Date;
}

export async function recordProviderCall(db: Db, call: ProviderCall): Promise<void> {
  await db.insertInto('provider_calls').values(providerCallRow(call)).execute();
}

/** The row of a call, for statements that write more than the call. */
export function providerCallRow(call: ProviderCall) {
  return {
    report_id: call.reportId,
    stage: call.stage,
    model: call.model,
    model_id: call.modelId,
    outcome: call.outcome,
    input_tokens: call.inputTokens,
    output_tokens: call.outputTokens,
    cost_usd_micros: call.costUsdMicros,
    latency_ms: call.latencyMs,
    simulated: call.simulated,
    called_at: call.now,
  };
}
