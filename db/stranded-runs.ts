import type { Db } from './database.js';

/** A fresh report that was charged and has come to no end yet. */
export interface UnfinishedRun {
  readonly purchaseId: string;
  readonly accountId: string;
  readonly reportId: number;
  readonly workflowId: string;
  readonly createdAt: Date;
}

/**
 * Every run that holds somebody's money, oldest first; most of them are simply at work. Invariants: a terminal report
 * is never among them, nor a purchase that was refunded.
 */
export async function listUnfinishedRuns(db: Db): Promise<readonly UnfinishedRun[]> {
  return db
    .selectFrom('report_purchases as purchase')
    .innerJoin('reports as report', 'report.id', 'purchase.report_id')
    .select([
      'purchase.id as purchaseId',
      'purchase.account_id as accountId',
      'report.id as reportId',
      'report.workflow_id as workflowId',
      'report.created_at as createdAt',
    ])
    .where('purchase.state', '=', 'charged')
    .where('purchase.kind', '=', 'fresh')
    .where('report.status', 'in', ['pending', 'processing'])
    .orderBy('report.created_at')
    .orderBy('report.id')
    .execute();
}
