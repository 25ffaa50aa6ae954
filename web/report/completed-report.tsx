import type { RuntimeView } from '../../contract/runtime.js';
import { memberName } from '../shared/format.js';
import { Part } from '../shared/part.js';
import { BetsPart } from './bets/bets-part.js';
import type { CompletedView } from './completed-view.js';
import { GradePart } from './grade/grade-part.js';
import { Cautions } from './headline/cautions.js';
import { Headline } from './headline/headline.js';
import { DeliberationPart } from './members/deliberation-part.js';
import { ProbabilitiesPart } from './probabilities/probabilities-part.js';
import { ProvenancePart } from './provenance/provenance-part.js';
import { SourcesPart } from './sources/sources-part.js';

/** A completed report: its limitations first, then the result, then everything that it is based on. */
export function CompletedReport({ report, runtime, deliberation }: CompletedView) {
  const { evidence, opinions } = deliberation;
  return (
    <>
      <Cautions report={report} runtime={runtime} deliberation={deliberation} />
      <Headline report={report} runtime={runtime} />
      <ReportContents isGraded={report.grade !== null} hasSearched={evidence !== null} />
      <SummaryPart summary={report.summary} runtime={runtime} />
      <ProbabilitiesPart report={report} runtime={runtime} />
      <BetsPart report={report} runtime={runtime} />
      {report.grade === null ? null : <GradePart grade={report.grade} runtime={runtime} />}
      <DeliberationPart report={report} runtime={runtime} deliberation={deliberation} />
      {evidence === null ? null : <SourcesPart evidence={evidence} opinions={opinions} />}
      <ProvenancePart report={report} runtime={runtime} deliberation={deliberation} />
      <p className="disclaimer">{report.disclaimer}</p>
    </>
  );
}

function ReportContents({ isGraded, hasSearched }: { isGraded: boolean; hasSearched: boolean }) {
  const parts = [
    ['summary', 'Summary'],
    ['probabilities', 'Probabilities'],
    ['bets', 'Bets'],
    ...(isGraded ? [['grade', 'Outcome']] : []),
    ['deliberation', 'Deliberation'],
    ...(hasSearched ? [['sources', 'Sources']] : []),
    ['provenance', 'Method and data'],
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
  readonly runtime: Pick<RuntimeView, 'chairman' | 'synthesis'>;
}

function SummaryPart({ summary, runtime }: SummaryPartProps) {
  return (
    <Part id="summary" title="Summary">
      <blockquote className="summary as-written">{summary}</blockquote>
      <p className="muted small">
        Written by {memberName(runtime.chairman)}, the chairman{replacedText(runtime.synthesis)}. It is the
        view of one member. Every number on this page is calculated from the forecasts of all members; no text
        changes a number.
      </p>
    </Part>
  );
}

/** ", after Claude timed out after 10 s". Empty if the first chairman wrote it. */
function replacedText(synthesis: RuntimeView['synthesis']): string {
  const { replaced } = synthesis;
  if (replaced.length === 0) return '';
  return `, after ${replaced.map(({ model, reason }) => `${memberName(model)} ${reason}`).join(' and ')}`;
}
