import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ReportView } from '../../contract/reports.js';
import { useApi } from '../api/api.js';
import { ledgerQuery } from '../api/private-queries.js';
import { minute } from '../shared/format.js';
import { CompletedReport } from './completed-report.js';
import { progressText, refundText } from './format-report.js';
import { RunningReport } from './running-report.js';

interface ReportProps {
  readonly report: ReportView;
  /** Unless told, it is called by its number. */
  readonly name?: string;
}

/** A report as it stands: being made, failed, or to be read. */
export function Report({ report, name = `Report ${report.id}` }: ReportProps) {
  return (
    <article className="report">
      <ReportHead report={report} name={name} />
      <ReportNews report={report} />
      <Standing report={report} />
    </article>
  );
}

function Standing({ report }: { report: ReportView }) {
  const { deliberation, council_config: config } = report;
  if (report.status === 'failed') return <FailedReport report={report} />;
  if (config.runtime === null || deliberation === null) return <RunningReport report={report} />;
  return <CompletedReport report={report} runtime={config.runtime} deliberation={deliberation} />;
}

/** Why there is no report, and what became of the money. */
function FailedReport({ report }: { readonly report: ReportView }) {
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

interface ReportHeadProps {
  readonly report: ReportView;
  readonly name: string;
}

/** Which report it is. */
function ReportHead({ report, name }: ReportHeadProps) {
  const { event_id: eventId, event_title: title, completed_at: completedAt } = report;
  return (
    <header className="report-head">
      <p className="eyebrow">{name}</p>
      <h1>{title}</h1>
      <p className="facts">
        {completedAt === null ? (
          <span>
            Asked for on <time dateTime={report.created_at}>{minute(report.created_at)}</time>
          </span>
        ) : (
          <span>
            Made on <time dateTime={completedAt}>{minute(completedAt)}</time>
          </span>
        )}
        <Link to={`/events/${encodeURIComponent(eventId)}`}>The event and its prices now</Link>
      </p>
    </header>
  );
}

/** What has changed since the page was opened, read aloud to whoever does not see it. */
function ReportNews({ report }: { readonly report: ReportView }) {
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
