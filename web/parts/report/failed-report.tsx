import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ReportView } from '../../../contract/reports.js';
import { useApi } from '../../api/api-context.js';
import { ledgerQuery } from '../../api/private-queries.js';
import { refundText } from './refund-text.js';

/** Why there is no report, and what became of the money. */
export function FailedReport({ report }: { readonly report: ReportView }) {
  const ledger = useQuery(ledgerQuery(useApi(), 1));
  const refund = ledger.data?.entries.find(
    ({ kind, report_id: reportId }) => kind === 'refund' && reportId === report.id,
  );
  return (
    <section className="failed" aria-labelledby="failed">
      <h2 id="failed">The run failed</h2>
      <p className="lead">{report.failure?.detail}</p>
      <p>{refundText(report.lane, refund ?? null)} It does not count among your runs of this hour.</p>
      <p>
        <Link className="button" to={`/events/${encodeURIComponent(report.event_id)}`}>
          See the event, and run it again
        </Link>
      </p>
    </section>
  );
}
