import { z } from 'zod';
import { reportId } from '../../contract/parts.js';
import { markdownOf } from '../../contract/report-text/report-markdown.js';
import { partsOf, reportSections } from '../../contract/report-text/report-parts.js';
import { reportNextStep, reportResultShape } from '../report-result.js';
import { waitParameter } from './parameters.js';
import { defineTool } from './tool.js';

export const getReport = defineTool({
  name: 'get_report',
  title: 'Read a report',
  description:
    'Reads a report of this account: status, and once completed the verdict on the queried market, confidence, ' +
    'for every outcome three numbers (estimate: the number to act on, weighs the others and prices the bets; council: ' +
    'blind to prices; market: implied by prices), flags (simulated, degraded, conflict, no evidence), dissent, bets with ' +
    'stakes, why the market differs, base rates, what would change the forecast, and summary. With sections also the ' +
    'deliberation, part by part.\n' +
    'Use it after run_report until status is completed or failed (wait_seconds holds the response, so you poll less ' +
    'often), and to return to a report later. Do not use it to start a run (run_report) or to find a report_id ' +
    '(check_report). Request sections only when the user wants the reasoning: they are long.\n' +
    'Free, changes nothing. Needs the API key of the account that bought the report; any other gets not_found.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    report_id: reportId.describe('The number that run_report or check_report returned.'),
    sections: z
      .array(z.enum(reportSections))
      .default([])
      .describe(
        'Parts beyond the verdict. "synthesis": agreements, disagreements, uncertainties (short; request this first). ' +
          '"opinions": each model’s own forecast and reasons, its range, what would change it, the facts it names, and the ' +
          'sources it cites. "sources": what ' +
          'the models’ web searches found, cited and not verified. "cross_review": critiques and revised forecasts. ' +
          '"market_snapshot": the prices that were frozen for the run. "method": pooling and thresholds.',
      ),
    wait_seconds: waitParameter,
  }),
  output: reportResultShape.extend({ next_step: z.string() }),
  run: async ({ report_id, sections, wait_seconds }, { followReport }) => {
    const untilMs = Date.now() + wait_seconds * 1_000;
    const report = await followReport(report_id, untilMs);
    const result = partsOf(report, sections);
    return { ...result, next_step: reportNextStep(result) };
  },
  describe: report => `${markdownOf(report)}\n\nNext step: ${report.next_step}`,
});
