import type { ReportView } from '../../../contract/reports.js';
import { CompletedReport } from './completed-report.js';
import { FailedReport } from './failed-report.js';
import { ReportHead } from './report-head.js';
import { ReportNews } from './report-news.js';
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
