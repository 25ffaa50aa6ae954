import { afterRefusal, batchRunsLeft } from './batches.js';
import { decidePurchase, listPrice, type PurchaseSituation } from './decide-purchase.js';
import { isRefusal, type Lane, nothingToForecast } from './purchase.js';
import type { Refusal, RefusalCode } from './refusal.js';

/** What the purchase of a row would be now. */
export interface PlannedRow {
  readonly kind: 'fresh' | 'cached' | 'owned' | 'refused';
  readonly credits: number;
  /** Of a refused row why it is refused for good; of another why its batch would wait with it. */
  readonly code?: RefusalCode;
}

/** A batch that nothing was bought of, as far as one row depends on it. */
export interface PlannedBatch {
  readonly lane: Lane;
  readonly budgetCredits: number;
  readonly maxCreditsEach: number | null;
}

/** @param situation of a purchase by itself, now. The rows of batches share neither its runs nor its weekly grant. */
export function planRow(
  { lane, ...limits }: PlannedBatch,
  situation: PurchaseSituation,
  isClosed: boolean,
): PlannedRow {
  if (situation.owned === null && isClosed) return refusedBy(nothingToForecast(false));
  const batch = { ...unstarted, ...limits };
  const asRow = { ...situation, batch, runs: batchRunsLeft(batch), grant: null };
  const decision = decidePurchase({ lane, quotedCredits: null, quotedUsdCents: null }, asRow, 'existing');
  const kind = situation.sharedReportId === null ? 'fresh' : 'cached';
  const priced = { kind, credits: listPrice(situation.quote.freshCredits, { kind, lane }) } as const;
  if (decision.decided !== 'answer') return priced;
  const { answer } = decision;
  if (!isRefusal(answer)) return { kind: 'owned', credits: 0 };
  return afterRefusal(answer).kind === 'refuse' ? refusedBy(answer) : { ...priced, code: answer.refused };
}

const unstarted = {
  status: 'running',
  isRowWaiting: true,
  spentCredits: 0,
  rowsInFlight: 0,
  freshRowsToday: 0,
  secondsToNextDay: 0,
} as const;

function refusedBy({ refused }: Refusal): PlannedRow {
  return { kind: 'refused', credits: 0, code: refused };
}

/** What rows of these kinds cost now, and the most that they can cost the batch if prices rise. */
export function plannedCredits(
  { budgetCredits, maxCreditsEach }: PlannedBatch,
  rows: readonly PlannedRow[],
): { readonly expected: number; readonly atMost: number } {
  const sold = rows.filter(({ kind }) => kind === 'fresh' || kind === 'cached');
  return {
    expected: sold.reduce((sum, { credits }) => sum + credits, 0),
    atMost: maxCreditsEach === null ? budgetCredits : Math.min(budgetCredits, maxCreditsEach * sold.length),
  };
}
