import { setTimeout as pause } from 'node:timers/promises';
import type { ReportView } from '../../contract/reports.js';
import { waitMaxSeconds } from '../../council/limits.js';
import type { Call } from '../tools/tool.js';

/** Where something between us and the API does not know `Prefer: wait`, the question is still asked no oftener. */
const lookAgainAfterMs = 250;

/** Reads a report until it has ended or time is up, and tells of every step. @param untilMs as `Date.now()` counts */
export async function followReport(call: Call, reportId: number, untilMs: number): Promise<ReportView> {
  // The first look does not wait: who comes in the middle of a stage is told where it stands, not only where it goes next.
  for (let isFirst = true; ; isFirst = false) {
    const secondsLeft = Math.max(0, Math.floor((untilMs - Date.now()) / 1_000));
    const report = await call.api.readReport(reportId, {
      waitSeconds: isFirst ? 0 : Math.min(secondsLeft, waitMaxSeconds),
      signal: call.signal,
    });
    await call.tellProgress(report);
    const hasEnded = report.status === 'completed' || report.status === 'failed';
    if (hasEnded || secondsLeft === 0) return report;
    if (!isFirst) await pause(lookAgainAfterMs);
  }
}
