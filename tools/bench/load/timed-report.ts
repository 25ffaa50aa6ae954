import { z } from 'zod';
import { progressStages } from '../../../council/deliberation/stages.js';
import type { Db } from '../../../db/database.js';
import type { BenchedService } from '../services/with-service.js';
import type { BoughtReport, ReportBuyer } from './report-buyer.js';

/** Durations of one report in milliseconds. */
export interface Times {
  readonly reportId: number;
  /** The sum over the stages of the slowest member's time: the lower bound of a report's duration. */
  readonly models: number;
  /** From the charge to the stored report. */
  readonly wall: number;
  /** From sending the purchase to receiving the finished report with `Prefer: wait`. */
  readonly asCalled: number;
  /** From when the worker begins to store the finished report to when the caller has it. All on one clock. */
  readonly learnedAfter: number;
}

/** Buys a report and reads it until it has ended, as a caller does. */
export async function buyTimedReport(service: BenchedService, buyer: ReportBuyer): Promise<Times> {
  const startMs = performance.now();
  const bought = await buyer.buy();
  await readUntilEnded(service.url, bought);
  const asCalled = performance.now() - startMs;
  const learnedAtMs = Date.now();
  const { reportId } = bought;
  const { endedAtMs, ...ofReport } = await timesOf(service.database.db, reportId);
  return { reportId, ...ofReport, asCalled, learnedAfter: learnedAtMs - endedAtMs };
}

const statusShape = z.object({ status: z.string() });

async function readUntilEnded(url: string, { reportId, apiKey }: BoughtReport): Promise<void> {
  for (;;) {
    const headers = { 'x-api-key': apiKey, prefer: 'wait=50' };
    const response = await fetch(`${url}/api/reports/${reportId}`, { headers });
    const { status } = statusShape.parse(await response.json());
    if (status === 'completed') return;
    if (status === 'failed') throw new Error(`report ${reportId} failed`);
  }
}

type StoredTimes = Pick<Times, 'models' | 'wall'> & { readonly endedAtMs: number };

async function timesOf(db: Db, reportId: number): Promise<StoredTimes> {
  const { created_at, ended_at } = await db
    .selectFrom('reports')
    .select(['created_at', 'ended_at'])
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow();
  const slowest = await db
    .selectFrom('stage_results')
    .select(eb => ['stage', eb.fn.max('latency_ms').as('ms')])
    .where('report_id', '=', reportId)
    .where('stage', 'in', progressStages)
    .groupBy('stage')
    .execute();
  if (slowest.length !== progressStages.length || ended_at === null)
    throw new Error(`report ${reportId} is incomplete`);
  return {
    models: slowest.reduce((sum, { ms }) => sum + ms, 0),
    wall: ended_at.getTime() - created_at.getTime(),
    endedAtMs: ended_at.getTime(),
  };
}
