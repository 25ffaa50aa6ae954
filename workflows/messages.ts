import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Stage } from '../council/deliberation.js';
import type { PurchaseOutcome, PurchaseRequest } from '../council/purchase.js';

/** Buys the report. Answers with the receipt, or with the reason why not; charges at most once. */
export const purchase = defineUpdate<PurchaseOutcome, [PurchaseRequest]>('purchase');

/** Where the run is. */
export const progress = defineQuery<Progress>('progress');

export interface Progress {
  readonly stage: 'purchase' | 'market' | Stage | 'conclusion';
}
