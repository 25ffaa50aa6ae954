import type { DeliberationView } from '../../../contract/deliberation.js';
import type { ReportView } from '../../../contract/reports.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { BetsPart } from './bets-part.js';
import { Cautions } from './cautions.js';
import { DeliberationPart } from './deliberation-part.js';
import { GradePart } from './grade-part.js';
import { Headline } from './headline.js';
import { ProbabilitiesPart } from './probabilities-part.js';
import { ProvenancePart } from './provenance-part.js';
import { ReportContents } from './report-contents.js';
import { SummaryPart } from './summary-part.js';

export interface CompletedProps {
  readonly report: ReportView;
  readonly runtime: RuntimeView;
  readonly deliberation: DeliberationView;
}

/** A finished report: what limits it first, then the answer, then everything that it rests on. */
export function CompletedReport({ report, runtime, deliberation }: CompletedProps) {
  return (
    <>
      <Cautions report={report} runtime={runtime} />
      <Headline report={report} runtime={runtime} />
      <ReportContents isGraded={report.grade !== null} />
      <SummaryPart summary={report.summary} chairman={runtime.chairman} />
      <ProbabilitiesPart report={report} runtime={runtime} />
      <BetsPart report={report} runtime={runtime} />
      {report.grade === null ? null : <GradePart grade={report.grade} runtime={runtime} />}
      <DeliberationPart report={report} runtime={runtime} deliberation={deliberation} />
      <ProvenancePart report={report} runtime={runtime} deliberation={deliberation} />
      <p className="disclaimer">{report.disclaimer}</p>
    </>
  );
}
