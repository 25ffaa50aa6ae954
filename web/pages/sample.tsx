import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.js';
import { sampleReportQuery } from '../api/queries.js';
import { Report } from '../report/report.js';
import { Missing } from '../shared/notice.js';
import { QueryResult } from '../shared/query-result.js';

/** A complete report that is public. */
export function SamplePage() {
  const query = useQuery(sampleReportQuery(useApi()));
  return (
    <QueryResult query={query} what="the sample report" keepData>
      {report =>
        report === null ? (
          <Missing what="sample report">This service has no public sample report.</Missing>
        ) : (
          <Report report={report} name="A complete sample report" />
        )
      }
    </QueryResult>
  );
}
