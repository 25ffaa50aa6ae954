import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { MembersOnly } from '../account/members-only.js';
import { useApi } from '../api/api.js';
import { reportsQuery } from '../api/private-queries.js';
import { ReportRow } from '../report/report-row.js';
import { Pager } from '../shared/pager.js';
import { QueryResult } from '../shared/query-result.js';
import { pageIn } from '../shared/read-input.js';

export function ReportsPage() {
  const [parameters] = useSearchParams();
  const wanted = parameters.get('status');
  const [status] = filters.find(([value]) => value === wanted) ?? filters[0];
  return (
    <>
      <h1>Your reports</h1>
      <MembersOnly>
        <Filters status={status} />
        <ReportList page={pageIn(parameters)} status={status} />
      </MembersOnly>
    </>
  );
}

const filters = [
  ['', 'All'],
  ['completed', 'Completed'],
  ['processing', 'Running'],
  ['failed', 'Failed'],
] as const;

type Filter = (typeof filters)[number][0];

function Filters({ status }: { status: string }) {
  return (
    <nav className="filters" aria-label="Filter by status">
      <ul>
        {filters.map(([value, name]) => (
          <li key={value}>
            <Link
              to={value === '' ? '/reports' : `?${new URLSearchParams({ status: value })}`}
              {...(value === status ? { 'aria-current': 'true' } : {})}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function ReportList({ page, status }: { page: number; status: Filter }) {
  const query = useQuery({ ...reportsQuery(useApi(), page, status), placeholderData: keepPreviousData });
  return (
    <QueryResult query={query} what="your reports" keepData>
      {({ reports, total, per_page: perPage }) =>
        reports.length === 0 ? (
          <NoReports total={total} status={status} />
        ) : (
          <section aria-label="Reports" aria-busy={query.isPlaceholderData}>
            <ul className="report-list">
              {reports.map(report => (
                <ReportRow key={report.id} report={report} />
              ))}
            </ul>
            <Pager page={page} hasMore={page * perPage < total} keep={status === '' ? {} : { status }} />
          </section>
        )
      }
    </QueryResult>
  );
}

function NoReports({ total, status }: { total: number; status: string }) {
  if (total > 0) {
    return (
      <p role="status">
        There are no reports on this page. <Link to="/reports">See the newest reports</Link>
      </p>
    );
  }
  if (status !== '') {
    return (
      <p role="status">
        You have no {status === 'processing' ? 'running' : status} reports. <Link to="/reports">See all</Link>
      </p>
    );
  }
  return (
    <div className="card empty">
      <h2>No reports yet</h2>
      <p>Find an event, check the price of a report, and run it. One report each week is free.</p>
      <p>
        <Link className="button" to="/">
          Search the events
        </Link>{' '}
        or <Link to="/sample">read the sample report</Link> first.
      </p>
    </div>
  );
}
