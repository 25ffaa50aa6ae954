import { roundTo } from '../../council/numbers.js';
import type { GradeView } from '../grade.js';
import type { ReportView } from '../reports.js';
import type { BetView, RuntimeView } from '../runtime.js';
import { conflictText, numberLines, shownNumbers, sideNumbers, stakeText } from './estimate-text.js';
import { noEvidenceText, searchLines } from './evidence-text.js';
import {
  type LeadingNumber,
  leadingNumber,
  leadingPercent,
  leadingSentence,
  otherFavourites,
  yesOutcome,
} from './leading-number.js';
import { escapedLine, quoted, table } from './markdown.js';
import { recordText } from './record-text.js';
import { partsOf, type ReportParts, type ReportSection, reportSections } from './report-parts.js';
import { sectionLines } from './section-markdown.js';

/** A report in Markdown: first what limits it, then the verdict and its basis, and the requested sections. */
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
    ...block(limitLines(report, runtime)),
    ...block(verdictLines(report, runtime)),
    ...block(outcomeTable(runtime)),
    ...block([...numberLines(runtime), ...independenceNote(runtime), ...dissentLines(report)].map(item)),
    ...block(betLines(runtime).map(item)),
    '',
    `## Summary by the chairman, ${chairmanText(runtime)}`,
    ...quoted(report.summary ?? 'none'),
    ...block(searchLines(report.evidence, runtime.evidence?.items ?? 0).map(item)),
    ...block(gradeLines(report.grade)),
    ...sectionLines(report, runtime),
    '',
    report.disclaimer,
  ].join('\n');
}

type Runtime = NonNullable<ReportParts['runtime']>;

const item = (text: string) => `- ${text}`;

/** Lines behind an empty line, or nothing. */
function block(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

function progressLines({ progress }: ReportParts): string[] {
  if (progress === null) return [];
  return ['', `Stage ${progress.stage}: ${progress.done} of ${progress.of} models have answered.`];
}

/** What limits the report; empty for a report without limits. */
function limitLines({ evidence }: ReportParts, runtime: Runtime): string[] {
  const noEvidence = noEvidenceText(evidence);
  const failures = Object.entries(runtime.provider_failures).map(([model, text]) => `${model} ${text}`);
  return [
    ...(runtime.consensus_market_conflict ? [`CONFLICT: ${conflictText}`] : []),
    ...(runtime.degraded
      ? [`DEGRADED: ${failures.join('; ')}. Only ${runtime.models.join(', ')} took part.`]
      : []),
    ...(noEvidence === null ? [] : [`NO EVIDENCE: ${noEvidence}`]),
  ].map(item);
}

/** The estimate leads; the fields of the JSON that name a headline keep their own rule. */
function verdictLines(report: ReportParts, runtime: Runtime): string[] {
  const leading = leadingNumber(runtime);
  const others = otherFavourites(runtime).map(
    ({ name, outcome, percent }) => `The ${name}’s favourite is ${escapedLine(outcome)} with ${percent} %.`,
  );
  return [
    [`Most likely: **${escapedLine(leading.outcome)}**. ${leadingSentence(leading)}`, ...others].join(' '),
    `Verdict on “${escapedLine(report.queried_market ?? '')}” alone: **${report.action}**.${queriedText(report, runtime, leading)}`,
    `Confidence ${report.confidence} of at most 85: how much weight the council’s number deserves, not a chance of being right.`,
    `Prices of ${runtime.prices_at}.`,
  ].map(item);
}

/** The numbers of the queried market's YES, unless they lead already. */
function queriedText(
  { queried_market: market }: ReportParts,
  runtime: Runtime,
  leading: LeadingNumber,
): string {
  const yes = yesOutcome(runtime, market);
  if (yes === null || yes === leading.outcome) return '';
  return ` YES: ${leadingSentence(leadingNumber(runtime, yes), leading)}`;
}

/** Outcomes in percent, most likely first. */
function outcomeTable(runtime: Runtime): string[] {
  const numbers = shownNumbers(runtime);
  const probabilities = {
    council: runtime.market_probabilities,
    market: runtime.market_implied_probabilities,
    estimate: runtime.estimate?.probabilities ?? {},
  };
  const names = Object.keys(runtime.market_probabilities).sort(
    (a, b) => leadingPercent(runtime, b) - leadingPercent(runtime, a),
  );
  return table(
    ['Outcome, %', ...numbers],
    names.map(name => [
      escapedLine(name),
      ...numbers.map(number => String(probabilities[number][name] ?? 'none')),
    ]),
  );
}

/** Empty for an event of which exactly one outcome wins. */
function independenceNote({ exclusive }: Runtime): string[] {
  return exclusive ? [] : ['Each outcome is a separate yes/no question; percentages do not add up to 100.'];
}

function dissentLines({ positions }: ReportParts): string[] {
  return positions
    .filter(({ dissents }) => dissents)
    .map(
      ({ model, most_likely_outcome: outcome, most_likely_probability: percent, distance_points: points }) =>
        `Dissent: ${model} puts ${escapedLine(outcome)} first at ${percent} %, ${points} points from the council.`,
    );
}

const betKinds = {
  edge: 'Edge (claims a mispricing)',
  pick: 'Pick (the council’s favourite at a fair price, claims nothing else)',
} as const;

function betLines(runtime: Runtime): string[] {
  if (runtime.top_bets.length === 0) return ['No bet is suggested.'];
  const hasStakes = runtime.top_bets.some(({ stake_fraction: stake }) => stake !== null);
  return [...runtime.top_bets.map(betLine), ...(hasStakes ? [stakeText] : [])];
}

function betLine(bet: BetView): string {
  const { council, market } = sideNumbers(bet);
  return (
    `${betKinds[bet.kind]}: ${bet.side} “${escapedLine(bet.market)}” at ${bet.share_cost.toFixed(3)} USD a share, fee included; ` +
    `wins with ${bet.win_probability} % (estimate), council ${council} %, market ${market} %: edge ${bet.edge_points} points; ` +
    `a dollar returns ${signed(bet.expected_return_per_dollar)} on average, ` +
    `${signed(bet.payout_per_dollar)} if it wins.${stakeOf(bet)}`
  );
}

/** Nothing in a report of release 1.0.0. */
function stakeOf({ stake_fraction: stake }: BetView): string {
  return stake === null ? '' : ` Stake ${roundTo(stake * 100, 2)} %.`;
}

function signed(dollars: number): string {
  return `${dollars < 0 ? '' : '+'}${dollars.toFixed(2)}`;
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
  if (grade.scores === null) return [`Outcome: ${grade.state}, so the report has no score.`];
  const { council, market, estimate, outcomes } = grade.scores;
  const happened = outcomes.filter(outcome => outcome.happened === 1).map(({ name }) => escapedLine(name));
  return [
    `Outcome: ${happened.join(', ') || 'none of them'}${openText(grade)}. Brier score (0 is perfect): council ${brier(council)}, ` +
      `market at the same moment ${brier(market)}, estimate ${brier(estimate)}. One report is no evidence of skill: see the track record.`,
  ];
}

function openText({ open_markets: open }: GradeView): string {
  return open === 0 ? '' : `; not final: ${open} of the markets`;
}

function brier(score: NonNullable<GradeView['scores']>['estimate']): string {
  return score ? score.brier.toFixed(3) : 'none';
}
