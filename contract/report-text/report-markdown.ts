import type { GradeView } from '../grade.js';
import type { ReportView } from '../reports.js';
import type { RuntimeView } from '../runtime.js';
import { decisionText } from './decision-text.js';
import { conflictText } from './estimate-text.js';
import { noEvidenceText } from './evidence-text.js';
import { baseRatesPart, marketGapPart, triggersPart } from './grounds-markdown.js';
import { escapedLine, item, part, quoted } from './markdown.js';
import { recordText } from './record-text.js';
import { partsOf, type ReportParts, type ReportSection, reportSections } from './report-parts.js';
import { rulesChangedText } from './rules-text.js';
import { calculationParts, memberParts, sourcesPart, synthesisLines } from './section-markdown.js';
import { numbersPart, verdictPart } from './verdict-markdown.js';

/**
 * A report in Markdown, as one document: what limits it, the numbers, what to do about them, the reasons, and everything
 * that these rest on. What a buyer acts on is always there; the rest by section.
 */
export function reportMarkdown(
  report: ReportView,
  sections: readonly ReportSection[] = reportSections,
): string {
  return markdownOf(partsOf(report, sections));
}

/** The same from parts that were chosen before. */
export function markdownOf(report: ReportParts): string {
  const { report_id: id, event_id, event_title, status, failure, runtime } = report;
  const heading = [
    `# Report ${id}: ${escapedLine(event_title)}`,
    ...(report.simulated ? ['SIMULATED: no language model was called.', ''] : []),
    `Event ${escapedLine(event_id)}, ${status}.`,
    ...(report.record === null ? [] : ['', recordText(report.record)]),
  ];
  if (failure !== null) return [...heading, '', `FAILED: ${escapedLine(failure.detail)}`].join('\n');
  if (runtime === null) return [...heading, ...progressLines(report)].join('\n');
  return [
    ...heading,
    ...limitLines(report, runtime),
    ...numbersPart(report, runtime),
    ...verdictPart(report, runtime),
    ...summaryPart(report, runtime),
    ...marketGapPart(report, runtime),
    ...baseRatesPart(report, runtime),
    ...triggersPart(report, runtime),
    ...part('Outcome', gradeLines(report.grade)),
    ...sourcesPart(report, runtime),
    ...memberParts(report),
    ...calculationParts(report, runtime),
    '',
    report.disclaimer,
  ].join('\n');
}

type Runtime = NonNullable<ReportParts['runtime']>;

function progressLines({ progress }: ReportParts): string[] {
  if (progress === null) return [];
  return ['', `Stage ${progress.stage}: ${progress.done} of ${progress.of} models have answered.`];
}

/** What limits the report; empty for a report without limits. */
function limitLines(report: ReportParts, runtime: Runtime): string[] {
  const noEvidence = noEvidenceText(report.evidence);
  const rulesChanged = rulesChangedText(report);
  const failures = Object.entries(runtime.provider_failures).map(([model, text]) => `${model} ${text}`);
  const limits = [
    ...(runtime.consensus_market_conflict ? [`CONFLICT: ${conflictText}`] : []),
    ...(runtime.degraded
      ? [`DEGRADED: ${failures.join('; ')}. Only ${runtime.models.join(', ')} took part.`]
      : []),
    ...(noEvidence === null ? [] : [`NO EVIDENCE: ${noEvidence}`]),
    ...(rulesChanged === null ? [] : [`RULES CHANGED: ${rulesChanged}`]),
  ];
  return limits.length === 0 ? [] : ['', ...limits.map(item)];
}

function summaryPart({ summary, synthesis }: ReportParts, runtime: Runtime): string[] {
  return part(
    `Summary by the chairman, ${chairmanText(runtime)}`,
    quoted(summary ?? 'none'),
    synthesis ? synthesisLines(synthesis) : [],
  );
}

/** "gpt, after claude timed out after 10 s": the author of the summary. */
function chairmanText({ chairman, synthesis }: Pick<RuntimeView, 'chairman' | 'synthesis'>): string {
  const { replaced } = synthesis;
  if (replaced.length === 0) return chairman;
  return `${chairman}, after ${replaced.map(({ model, reason }) => `${model} ${reason}`).join(' and ')}`;
}

/** How good the forecast was. Empty until its event has an outcome. */
function gradeLines(grade: GradeView | null): string[] {
  if (grade === null) return [];
  const decision = decisionText(grade);
  const decided = decision === '' ? [] : [decision];
  if (grade.scores === null) return [`Outcome: ${grade.state}, so the report has no score.`, ...decided];
  const { council, market, estimate, outcomes } = grade.scores;
  const happened = outcomes.filter(outcome => outcome.happened === 1).map(({ name }) => escapedLine(name));
  return [
    `Outcome: ${happened.join(', ') || 'none of them'}${openText(grade)}. Brier score (0 is perfect): council ${brier(council)}, ` +
      `market at the same moment ${brier(market)}, estimate ${brier(estimate)}. One report is no evidence of skill: see the track record.`,
    ...decided,
  ];
}

function openText({ open_markets: open }: GradeView): string {
  return open === 0 ? '' : `; not final: ${open} of the markets`;
}

function brier(score: NonNullable<GradeView['scores']>['estimate']): string {
  return score ? score.brier.toFixed(3) : 'none';
}
