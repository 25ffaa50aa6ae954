import { Link } from 'react-router';
import type { ReportView } from '../../../contract/reports.js';
import { minute } from '../format.js';

interface ReportHeadProps {
  readonly report: ReportView;
  readonly name: string;
}

/** Which report it is. */
export function ReportHead({ report, name }: ReportHeadProps) {
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
