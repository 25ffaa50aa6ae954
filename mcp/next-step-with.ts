import { waitMaxSeconds } from '../council/limits.js';
import type { ReportAnswer } from './report-answer.js';

/** What to do with a report as it stands. */
export function nextStepWith({
  report_id: id,
  status,
  lane,
}: Pick<ReportAnswer, 'report_id' | 'status' | 'lane'>) {
  switch (status) {
    case 'pending':
    case 'processing':
      return `Still running. Call get_report with report_id ${id} and wait_seconds ${waitMaxSeconds}; nothing more is charged.`;
    case 'failed':
      return `${lane === 'subscription' ? 'Nothing is billed' : 'What was charged has been given back'}. Tell the user; run_report may be called again if they want.`;
    case 'completed':
      return 'Explain it to the user, limits first, and say that it is not financial advice. Do not run the event again for another answer.';
  }
}
