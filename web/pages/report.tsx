import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MembersOnly } from '../account/members-only.js';
import { CouncilProblem, useApi } from '../api/api.js';
import { reportQuery } from '../api/private-queries.js';
import type { PageProps } from '../app/lazy-page.js';
import { Report } from '../report/report.js';
import { useReportStream } from '../report/use-report-stream.js';
import { pageTitle } from '../shared/format.js';
import { useTitle } from '../shared/hooks.js';
import { Missing } from '../shared/notice.js';
import { isReportId } from '../shared/paths.js';
import { QueryResult } from '../shared/query-result.js';
import { StaleNotice } from '../shared/stale-notice.js';

/** One of the account's own reports. */
export function ReportPage({ parameters: { id = '' } }: PageProps) {
  if (!isReportId(id)) return <NotFound />;
  return (
    <MembersOnly title={`Report ${id}`}>
      <OwnReport key={id} id={Number(id)} />
    </MembersOnly>
  );
}

function OwnReport({ id }: { id: number }) {
  const [isFollowed, follow] = useState(false);
  const query = useQuery(reportQuery(useApi(), id, isFollowed));
  const isRunning = query.data?.status === 'pending' || query.data?.status === 'processing';
  useReportStream({ id, isRunning, follow });
  useTitle(query.data === undefined ? undefined : pageTitle(query.data.event_title));
  if (query.data === undefined && query.error instanceof CouncilProblem && query.error.code === 'not_found') {
    return <NotFound />;
  }
  return (
    <QueryResult query={query} what="the report" keepData>
      {report => (
        <>
          <StaleNotice query={query} />
          <Report report={report} />
        </>
      )}
    </QueryResult>
  );
}

function NotFound() {
  return <Missing what="report">A report is visible only to the account that bought it.</Missing>;
}
