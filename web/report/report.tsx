import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ReportView } from '../../contract/reports.js';
import { useApi } from '../api/api.js';
import { ledgerQuery } from '../api/private-queries.js';
import { minute } from '../shared/format.js';
import { eventPath } from '../shared/paths.js';
import { CompletedReport } from './completed-report.js';
import { completedView } from './completed-view.js';
import { progressText, refundText } from './format-report.js';
import { RunningReport } from './running-report.js';

interface ReportProps {
  readonly report: ReportView;
  /** Shown above the title; the number of the report by default. */
  readonly name?: string;
}

/** A report: running, failed or completed. */
export function Report({ report, name = `Report ${report.id}` }: ReportProps) {
  return (
    <article className="report">
      <ReportHeader report={report} name={name} />
      <StatusAnnouncement report={report} />
      <ReportBody report={report} />
    </article>
  );
}

function ReportHeader({ report, name }: Required<ReportProps>) {
  const { event_id: eventId, event_title: title, completed_at: completedAt, created_at: createdAt } = report;
  return (
    <header className="report-head">
      <p className="eyebrow">{name}</p>
      <h1>{title}</h1>
      <p className="facts">
        <span>
          {completedAt === null ? 'Requested' : 'Completed'}{' '}
          <time dateTime={completedAt ?? createdAt}>{minute(completedAt ?? createdAt)}</time>
        </span>
        <Link className="on-screen" to={eventPath(eventId)}>
          Event and current prices
        </Link>
      </p>
    </header>
  );
}

/** Tells screen readers what has changed since the page was opened. */
function StatusAnnouncement({ report }: { readonly report: ReportView }) {
  const [initialStatus] = useState(report.status);
  return (
    <p className="unseen" role="status">
      {announcement(report, initialStatus)}
    </p>
  );
}

function announcement(report: ReportView, initialStatus: ReportView['status']): string {
  if (report.status === 'pending' || report.status === 'processing') return progressText(report);
  if (report.status === initialStatus) return '';
  return report.status === 'failed' ? 'The run failed.' : 'The report is ready.';
}

function ReportBody({ report }: { report: ReportView }) {
  if (report.status === 'failed') return <FailedReport report={report} />;
  const completed = completedView(report);
  return completed === null ? <RunningReport report={report} /> : <CompletedReport {...completed} />;
}

/** Why the run failed, and where its charge was refunded to. */
function FailedReport({ report }: { readonly report: ReportView }) {
  const ledger = useQuery(ledgerQuery(useApi(), 1));
  const refund = ledger.data?.entries.find(
    ({ kind, report_id: reportId }) => kind === 'refund' && reportId === report.id,
  );
  return (
    <section className="failed" aria-labelledby="failed">
      <h2 id="failed">Run failed</h2>
      <p className="lead">{report.failure?.detail}</p>
      <p>
        {refundText(report.lane, refund ?? null)} Up to five refunded runs an hour do not count towards your
        limit.
      </p>
      <p>
        <Link className="button" to={eventPath(report.event_id)}>
          Back to the event
        </Link>
      </p>
    </section>
  );
}
