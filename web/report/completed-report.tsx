import type { RuntimeView } from '../../contract/runtime.js';
import { memberName } from '../shared/format.js';
import { FoldedPart } from '../shared/part.js';
import { BetsPart } from './bets/bets-part.js';
import type { CompletedView } from './completed-view.js';
import { GradePart } from './grade/grade-part.js';
import { Cautions } from './headline/cautions.js';
import { DeliberationPart } from './members/deliberation-part.js';
import { ProbabilitiesPart, probabilitiesTitle } from './probabilities/probabilities-part.js';
import { ProvenancePart } from './provenance/provenance-part.js';
import { SourcesPart } from './sources/sources-part.js';

/**
 * A completed report as one document: its limitations, the numbers, what to do about them, the reasons, and everything
 * that they are based on.
 */
export function CompletedReport(completed: CompletedView) {
  const { report, runtime, deliberation } = completed;
  const { evidence, opinions } = deliberation;
  return (
    <>
      <Cautions {...completed} />
      <Contents parts={partsOf(completed)} />
      <ProbabilitiesPart report={report} runtime={runtime} />
      <BetsPart report={report} runtime={runtime} />
      <SummaryPart summary={report.summary} runtime={runtime} />
      {report.grade === null ? null : <GradePart grade={report.grade} runtime={runtime} />}
      {evidence === null ? null : <SourcesPart evidence={evidence} opinions={opinions} />}
      <DeliberationPart {...completed} />
      <ProvenancePart {...completed} />
      <p className="disclaimer">{report.disclaimer}</p>
    </>
  );
}

/** The parts that the report has, by anchor and title. */
function partsOf({ report, runtime, deliberation }: CompletedView): readonly (readonly [string, string])[] {
  return [
    ['probabilities', probabilitiesTitle(runtime)],
    ['bets', 'Verdict and bets'],
    ['summary', 'Summary'],
    ...(report.grade === null ? [] : [['grade', 'Outcome'] as const]),
    ...(deliberation.evidence === null ? [] : [['sources', 'Sources'] as const]),
    ['deliberation', 'Members'],
    ['provenance', 'How it is calculated'],
  ];
}

function Contents({ parts }: { parts: ReturnType<typeof partsOf> }) {
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
  const author = `${memberName(runtime.chairman)}, the chairman`;
  return (
    <FoldedPart id="summary" title="Summary" inside={`By ${author}`}>
      <blockquote className="summary as-written">{summary}</blockquote>
      <p className="muted small">
        Written by {author}
        {replacedText(runtime.synthesis)}. It is the view of one member. Every number on this page is
        calculated from the forecasts of all members; no text changes a number.
      </p>
    </FoldedPart>
  );
}

/** ", after Claude timed out after 10 s". Empty if the first chairman wrote it. */
function replacedText(synthesis: RuntimeView['synthesis']): string {
  const { replaced } = synthesis;
  if (replaced.length === 0) return '';
  return `, after ${replaced.map(({ model, reason }) => `${memberName(model)} ${reason}`).join(' and ')}`;
}
