import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Stage } from '../council/deliberation/stages.js';
import type { PurchaseOutcome, PurchaseRequest } from '../council/purchase/purchase.js';
import type { GradingProgress } from '../council/track-record/grading.js';

/** Buys the report. Answers with the receipt, or with the reason why not; charges at most once. */
export const purchase = defineUpdate<PurchaseOutcome, [PurchaseRequest]>('purchase');

/** The type of the failure by which a run turns a purchase away that came at the wrong moment: nothing was decided, and nothing written. */
export const counterClosed = 'counter_closed';

/** Where the run is. */
export const progress = defineQuery<Progress>('progress');

/** How far a batch that grades is. */
export const gradingProgress = defineQuery<GradingProgress>('gradingProgress');

export interface Progress {
  readonly stage: 'purchase' | 'market' | Stage | 'conclusion';
}
