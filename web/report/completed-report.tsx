import type { DeliberationView } from '../../contract/deliberation.js';
import type { ReportView } from '../../contract/reports.js';
import type { RuntimeView } from '../../contract/runtime.js';
import { memberName } from '../shared/format.js';
import { Part } from '../shared/part.js';
import { BetsPart } from './bets/bets-part.js';
import { GradePart } from './grade/grade-part.js';
import { Cautions } from './headline/cautions.js';
import { Headline } from './headline/headline.js';
import { DeliberationPart } from './members/deliberation-part.js';
import { ProbabilitiesPart } from './probabilities/probabilities-part.js';
import { ProvenancePart } from './provenance/provenance-part.js';

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

/** Where to find what, on a page that is long. */
function ReportContents({ isGraded }: { readonly isGraded: boolean }) {
  const parts = [
    ['summary', 'Summary'],
    ['probabilities', 'Probabilities'],
    ['bets', 'Bets'],
    ...(isGraded ? [['grade', 'What happened']] : []),
    ['deliberation', 'Deliberation'],
    ['provenance', 'How it was made'],
  ];
  return (
    <nav className="contents" aria-label="On this page">
      <ul>
        {parts.map(([id, title]) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface SummaryPartProps {
  readonly summary: string | null;
  readonly chairman: RuntimeView['chairman'];
}

/** The words of the chairman. */
function SummaryPart({ summary, chairman }: SummaryPartProps) {
  return (
    <Part id="summary" title="Summary">
      <blockquote className="summary as-written">{summary}</blockquote>
      <p className="muted small">
        {memberName(chairman)} wrote this in the chair. It is one member’s reading: every number on this page
        is computed from all members’ forecasts, and no text can move one.
      </p>
    </Part>
  );
}
