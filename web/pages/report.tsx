import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { MembersOnly } from '../account/members-only.js';
import { ApiProblem, useApi } from '../api/api.js';
import { reportQuery } from '../api/private-queries.js';
import type { Found, Loading as LoadingPage, Page } from '../app/page.js';
import { Report } from '../report/report.js';
import { useTitle } from '../shared/hooks.js';
import { Loading, Missing, Notice, ProblemNotice } from '../shared/notice.js';

export const reportPage: Page = {
  path: '/reports/:id',
  title: 'Report · Council Report',
  status: 200,
  Content,
  load,
};

const isId = (id: string) => /^[1-9]\d{0,14}$/.test(id);

/** Whose report it is only the browser knows; what cannot be one is not there for anybody. */
async function load({ parameters }: LoadingPage): Promise<Found> {
  return isId(parameters['id'] ?? '') ? {} : { status: 404 };
}

function Content() {
  const { id = '' } = useParams();
  if (!isId(id)) return <NotThere />;
  return (
    <MembersOnly title={`Report ${id}`}>
      <Shown key={id} id={Number(id)} />
    </MembersOnly>
  );
}

function Shown({ id }: { id: number }) {
  const report = useQuery(reportQuery(useApi(), id));
  useTitle(report.data === undefined ? undefined : `${report.data.event_title} · Council Report`);
  if (report.data === undefined) {
    if (report.error instanceof ApiProblem && report.error.code === 'not_found') return <NotThere />;
    return report.isError ? (
      <ProblemNotice error={report.error} onRetry={() => void report.refetch()} />
    ) : (
      <Loading what="the report" />
    );
  }
  return (
    <>
      {report.isPaused || report.isError || report.failureCount > 0 ? (
        <Notice tone="warn" title="No news just now.">
          {report.isPaused ? 'You are offline.' : 'The service does not answer.'} What is shown may be old;
          this page asks again by itself.
        </Notice>
      ) : null}
      <Report report={report.data} />
    </>
  );
}

function NotThere() {
  return <Missing what="report">Reports are shown only to the account that bought them.</Missing>;
}
