import { useState } from 'react';
import type { ReportView } from '../../../contract/reports.js';
import { progressText } from './progress-words.js';

/** What has changed since the page was opened, read aloud to whoever does not see it. */
export function ReportNews({ report }: { readonly report: ReportView }) {
  const [first] = useState(report.status);
  return (
    <p className="unseen" role="status">
      {newsOf(report, first)}
    </p>
  );
}

function newsOf(report: ReportView, first: ReportView['status']): string {
  if (report.status === 'pending' || report.status === 'processing') return progressText(report);
  if (report.status === first) return '';
  return report.status === 'failed' ? 'The run has failed.' : 'The report is ready.';
}
