import type { CouncilModel } from '../council/models.js';
import type { Db } from './database.js';

/**
 * How the price came about: the runs that moved it, newest first. Invariants: every run here moved the price exactly
 * once; a failed one is never here, nor one on a caller's own keys. Provider dollars are for operators only.
 */
export interface QuotedRun {
  readonly reportId: number;
  readonly completedAt: Date;
  readonly costUsdMicros: number;
  readonly tokens: readonly ModelTokens[];
  /** The price after it. */
  readonly freshCredits: number;
  readonly estimateUsdMicros: number;
}

export interface ModelTokens {
  readonly model: CouncilModel;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export async function readQuoteHistory(
  db: Db,
  { simulated, limit }: { simulated: boolean; limit: number },
): Promise<readonly QuotedRun[]> {
  const moves = await db
    .selectFrom('quotes')
    .select([
      'report_id as reportId',
      'created_at as completedAt',
      'fresh_credits as freshCredits',
      'estimate_usd_micros as estimateUsdMicros',
    ])
    .where('simulated', '=', simulated)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const calls = await callsOf(
    db,
    moves.map(move => move.reportId),
  );
  return moves.map(move => {
    const own = calls.filter(call => call.reportId === move.reportId);
    return {
      ...move,
      costUsdMicros: own.reduce((sum, call) => sum + call.costUsdMicros, 0),
      tokens: own.map(({ model, inputTokens, outputTokens }) => ({ model, inputTokens, outputTokens })),
    };
  });
}

async function callsOf(db: Db, reportIds: readonly number[]) {
  if (reportIds.length === 0) return [];
  const rows = await db
    .selectFrom('provider_calls')
    .select(({ fn }) => [
      'report_id as reportId',
      'model',
      fn.sum<number>('input_tokens').as('inputTokens'),
      fn.sum<number>('output_tokens').as('outputTokens'),
      fn.sum<string>('cost_usd_micros').as('costUsdMicros'),
    ])
    .where('report_id', 'in', [...reportIds])
    .groupBy(['report_id', 'model'])
    .orderBy('model')
    .execute();
  // A sum of int8 is numeric, which comes as text.
  return rows.map(row => ({ ...row, costUsdMicros: Number(row.costUsdMicros) }));
}
