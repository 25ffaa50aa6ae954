import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { BatchChange, BatchChangeAnswer, BatchProgress } from '../purchase/batches.js';
import type { RunSettings } from './report-interface.js';

/** The input of the workflow of a batch. Its rows, its budget and how far it is are in the database. */
export interface ReportBatchInput {
  readonly batchId: string;
  readonly accountId: string;
  /** How the reports of its rows run. */
  readonly runs: RunSettings;
}

/** One batch has one workflow at a time. */
export function batchWorkflowId(batchId: string): string {
  return `batch/${batchId}`;
}

/** Pauses, resumes or cancels the batch, changes its budget, or has rows bought again. */
export const changeBatch = defineUpdate<BatchChangeAnswer, [BatchChange]>('changeBatch');

/** How far the batch was at the end of its last page; null before the first. */
export const batchProgress = defineQuery<BatchProgress | null>('batchProgress');
