import { z } from 'zod';
import { reportId } from '../../contract/parts.js';
import { describeReport } from '../reports/describe-report.js';
import { followReport } from '../reports/follow-report.js';
import { nextStepWith, reportAnswerOf, reportAnswerShape, reportSections } from '../reports/report-answer.js';
import { waitParameter } from './parameters.js';
import { defineTool } from './tool.js';

export const getReport = defineTool({
  name: 'get_report',
  title: 'Read a report',
  description:
    'Reads a report of this account: status, and once completed the verdict on the queried market, probability, confidence, ' +
    'the whole distribution beside the market’s, flags (simulated, degraded, conflict), dissent, bets and summary. With ' +
    'sections also the deliberation, part by part.\n' +
    'Use it after run_report until status is completed or failed (with wait_seconds it holds the answer instead of asking ' +
    'again and again), and to come back to a report later. Do not use it to start a run (run_report) or to find a ' +
    'report_id (check_report). Ask for sections only when the user wants the reasoning: they are long.\n' +
    'Free, changes nothing. Needs the API key of the account that bought the report; any other is told not_found.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    report_id: reportId.describe('The number that run_report or check_report returned.'),
    sections: z
      .array(z.enum(reportSections))
      .default([])
      .describe(
        'Parts beyond the verdict. "synthesis": agreements, disagreements, uncertainties (short; ask for this first). ' +
          '"opinions": each model’s own forecast and reasons. "cross_review": critiques and revised forecasts. ' +
          '"market_snapshot": the prices that were frozen. "method": pooling and thresholds.',
      ),
    wait_seconds: waitParameter,
  }),
  output: reportAnswerShape.extend({ next_step: z.string() }),
  run: async ({ report_id, sections, wait_seconds }, call) => {
    const report = await followReport(call, report_id, Date.now() + wait_seconds * 1_000);
    const answer = reportAnswerOf(report, sections);
    return { ...answer, next_step: nextStepWith(answer) };
  },
  tell: report => `${describeReport(report)}\nNext step: ${report.next_step}`,
});
