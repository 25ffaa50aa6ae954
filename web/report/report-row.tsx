import { Link } from 'react-router';
import type { ReportSummaryView } from '../../contract/reports.js';
import { minute } from '../shared/format.js';
import { paidText, verdictLine } from './format-report.js';

/** A report in the list of reports. */
export function ReportRow({ report }: { readonly report: ReportSummaryView }) {
  const { id, event_title: title, status, simulated, created_at: createdAt } = report;
  return (
    <li className={`report-row ${status}`}>
      <h2>
        <Link to={`/reports/${id}`}>{title}</Link>
      </h2>
      <p className="row-verdict">{verdictLine(report)}</p>
      <p className="facts">
        <StatusPill status={status} />
        {simulated ? <span className="pill warn">simulated</span> : null}
        <time dateTime={createdAt}>{minute(createdAt)}</time>
        <span>{paidText(report)}</span>
      </p>
    </li>
  );
}

function StatusPill({ status }: Pick<ReportSummaryView, 'status'>) {
  switch (status) {
    case 'pending':
    case 'processing':
      return <span className="pill good">running</span>;
    case 'failed':
      return <span className="pill bad">failed</span>;
    case 'completed':
      return null;
  }
}
