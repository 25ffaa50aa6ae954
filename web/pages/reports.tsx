import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { reportStatus } from '../../contract/parts.js';
import { MembersOnly } from '../account/members-only.js';
import { useApi } from '../api/api.js';
import { reportsQuery } from '../api/private-queries.js';
import type { Page } from '../app/page.js';
import { ReportRow } from '../report/report-row.js';
import { Loading, ProblemNotice } from '../shared/notice.js';
import { Pager } from '../shared/pager.js';
import { pageIn } from '../shared/read-input.js';

export const reportsPage: Page = {
  path: '/reports',
  title: 'Your reports · Council Report',
  status: 200,
  Content,
};

function Content() {
  return (
    <>
      <h1>Your reports</h1>
      <MembersOnly>
        <History />
      </MembersOnly>
    </>
  );
}

function History() {
  const [parameters] = useSearchParams();
  const status = reportStatus.safeParse(parameters.get('status')).data ?? '';
  return (
    <>
      <Filters status={status} />
      <Found page={pageIn(parameters)} status={status} />
    </>
  );
}

const filters = [
  ['', 'All'],
  ['completed', 'Completed'],
  ['processing', 'Running'],
  ['failed', 'Failed'],
] as const;

function Filters({ status }: { status: string }) {
  return (
    <nav className="filters" aria-label="Which reports">
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

function Found({ page, status }: { page: number; status: string }) {
  const reports = useQuery({ ...reportsQuery(useApi(), page, status), placeholderData: keepPreviousData });
  if (reports.data === undefined) {
    return reports.isError ? (
      <ProblemNotice error={reports.error} onRetry={() => void reports.refetch()} />
    ) : (
      <Loading what="your reports" />
    );
  }
  const { reports: found, total, per_page: perPage } = reports.data;
  if (found.length === 0) return <Nothing total={total} status={status} />;
  return (
    <section aria-label="Reports" aria-busy={reports.isPlaceholderData}>
      <ul className="report-list">
        {found.map(report => (
          <ReportRow key={report.id} report={report} />
        ))}
      </ul>
      <Pager page={page} hasMore={page * perPage < total} keep={status === '' ? {} : { status }} />
    </section>
  );
}

function Nothing({ total, status }: { total: number; status: string }) {
  if (total > 0) {
    return (
      <p role="status">
        There is no such page. <Link to="/reports">See the newest reports</Link>
      </p>
    );
  }
  if (status !== '') {
    return (
      <p role="status">
        None of your reports is {status === 'processing' ? 'running' : status}.{' '}
        <Link to="/reports">See all</Link>
      </p>
    );
  }
  return (
    <div className="card empty">
      <h2>You have no report yet</h2>
      <p>
        Find an event, look at what a report on it costs, and put it before the council. The first one of
        every week is free.
      </p>
      <p>
        <Link className="button" to="/">
          Search the events
        </Link>{' '}
        or <Link to="/sample">read the sample report</Link> first.
      </p>
    </div>
  );
}
