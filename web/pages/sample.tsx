import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.js';
import { sampleReportQuery } from '../api/queries.js';
import type { Found, Loading as LoadingPage, Page } from '../app/page.js';
import { Report } from '../report/report.js';
import { Loading, Missing, ProblemNotice } from '../shared/notice.js';

export const samplePage: Page = {
  path: '/sample',
  title: 'A sample report · Council Report',
  status: 200,
  Content,
  load,
};

async function load({ api, queryClient }: LoadingPage): Promise<Found> {
  const query = sampleReportQuery(api);
  await queryClient.prefetchQuery(query);
  const sample = queryClient.getQueryData(query.queryKey);
  if (sample === undefined) return { status: 503 };
  return sample === null ? { status: 404 } : {};
}

/** A whole report that anybody may read. */
function Content() {
  const sample = useQuery(sampleReportQuery(useApi()));
  if (sample.data === undefined) {
    return sample.isError ? (
      <ProblemNotice error={sample.error} onRetry={() => void sample.refetch()} />
    ) : (
      <Loading what="the sample report" />
    );
  }
  if (sample.data === null) {
    return <Missing what="sample report">This service shows none of its reports to everybody.</Missing>;
  }
  return <Report report={sample.data} name="A sample, whole as every report is" />;
}
