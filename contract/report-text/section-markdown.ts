import { listItemMaxChars, nameMaxChars } from '../../council/text.js';
import type { FactView, OpinionView, ReviewView, SynthesisView } from '../deliberation.js';
import type { MarketSnapshotView } from '../reports.js';
import { confidenceText } from './confidence-text.js';
import { estimateFormula, formulaTerms } from './estimate-text.js';
import {
  didNotSearch,
  finderText,
  ownKnowledge,
  searchedInVain,
  searcherText,
  searchLines,
  sourceDate,
} from './evidence-text.js';
import { escapedLine, item, linkTo, part, quoted, sentence } from './markdown.js';
import type { ReportParts } from './report-parts.js';
import { rulesPart } from './rules-markdown.js';
import { changeLead } from './trigger-text.js';

type Runtime = NonNullable<ReportParts['runtime']>;
type Source = NonNullable<ReportParts['sources']>[number];

/** What was searched, and the sources if they were requested. */
export function sourcesPart(report: ReportParts, runtime: Runtime): string[] {
  const { evidence, sources, not_found: notFound = [] } = report;
  if (evidence === null) return part('Sources', sources === undefined ? [] : [didNotSearch]);
  return part(
    'Sources',
    searchLines(evidence, runtime.evidence?.items ?? 0).map(item),
    (sources ?? []).flatMap(sourceLine),
    notFound.length === 0 ? [] : [searchedInVain],
    notFound.map(line => item(`${escapedLine(line.text)} ${searcherText(line)}`)),
  );
}

/** What each member answered: its opinion, its review of the others, and its rank among them. */
export function memberParts({ opinions, cross_review: review }: ReportParts): string[] {
  return [
    ...(opinions ? part('Opinions, formed without seeing a price', opinions.flatMap(opinionLines)) : []),
    ...(review ? part('Cross-review, anonymous', review.reviews.flatMap(reviewLines)) : []),
    ...(review
      ? part(
          'Ranking by the others',
          review.aggregate_ranking.map(
            each => `${each.rank}. ${each.model} (Borda score ${each.score} of 1)`,
          ),
        )
      : []),
  ];
}

/** The prices and the formulas that the numbers follow from. */
export function calculationParts(
  { market_snapshot: snapshot, method }: ReportParts,
  runtime: Runtime,
): string[] {
  return [
    ...(snapshot
      ? part(
          `Market at ${snapshot.taken_at}`,
          snapshot.markets.map(market => marketLine(market, snapshot.volume_unit)),
        )
      : []),
    ...(snapshot ? rulesPart(snapshot) : []),
    ...(method ? part(`How it is calculated (${method.name})`, methodLines(method, runtime)) : []),
  ];
}

function methodLines(method: NonNullable<ReportParts['method']>, { estimate }: Runtime): string[] {
  const { pooling, thresholds } = method;
  return [
    `- ${pooling}`,
    ...(estimate === null
      ? []
      : [
          `- ${estimate.method}: ${escapedLine(estimateFormula(estimate, thresholds))}. ${formulaTerms(estimate)}`,
          `- Weights ${escapedLine(estimate.weights.id)}, SHA-256 ${estimate.weights.sha256}.`,
        ]),
    `- ${confidenceText(method)}`,
    `- \`${JSON.stringify(thresholds)}\``,
  ];
}

/** Below the summary. */
export function synthesisLines({ agreements, disagreements, key_uncertainties }: SynthesisView): string[] {
  return [
    ...agreements.map(text => `- agreed: ${escapedLine(text)}`),
    ...disagreements.map(text => `- disagreed: ${escapedLine(text)}`),
    ...key_uncertainties.map(text => `- uncertain: ${escapedLine(text)}`),
  ];
}

function opinionLines(opinion: OpinionView): string[] {
  const { model, model_id, distribution, confidence, rationale, evidence } = opinion;
  return [
    `### ${model} (${escapedLine(model_id)}): ${percentages(distribution)}; own confidence ${confidence}`,
    ...quoted(rationale),
    '',
    ...evidence.map(fact => `- ${factLine(fact)}`),
    ...groundsLines(opinion).map(item),
  ];
}

/** What an opinion rests on, apart from its base rates. Empty in reports of 1.0.0. */
function groundsLines(opinion: OpinionView): string[] {
  const { rule, resolution_risk: risk, subject, range, would_change: changes, dropped } = opinion;
  const ofSubject = subject === null ? '' : `“${escapedLine(subject, nameMaxChars)}” `;
  return [
    ...(rule === null ? [] : [`The rule: ${sentence(escapedLine(rule, listItemMaxChars))}`]),
    ...(risk === null ? [] : [`Resolution risk: ${risk} %.`]),
    ...(range === null
      ? []
      : [`After a further day of research, ${ofSubject}from ${range.low} to ${range.high} % (80 % range).`]),
    ...changes.map(
      change => `${ofSubject}${changeLead(change)}: ${sentence(escapedLine(change.if, listItemMaxChars))}`,
    ),
    ...(dropped.length === 0 ? [] : [`Missing: ${dropped.map(text => escapedLine(text)).join('; ')}.`]),
  ];
}

/** "Inflation was 2.9 percent in October. (S2, S5)", or with "(own knowledge)". */
function factLine({ fact, sources }: FactView): string {
  const origin = sources.length === 0 ? ownKnowledge : sources.map(id => escapedLine(id)).join(', ');
  return `${escapedLine(fact, listItemMaxChars)} (${origin})`;
}

/** A report can have dozens of sources; everything cited to them would fill as much context as the opinions. */
const citedShownChars = 200;

/** "- S2 statistics.example.org, 2026-11-12: Consumer prices in October. <https://…> Found by grok." and what is cited. */
function sourceLine(source: Source): string[] {
  const { id, url, domain, title } = source;
  const name = title === null ? '' : escapedLine(title, nameMaxChars);
  const titlePart = name === '' ? '.' : `: ${sentence(name)}`;
  return [
    `- ${id} ${escapedLine(domain, nameMaxChars)}, ${sourceDate(source)}${titlePart} ${linkTo(url)} ${finderText(source)}`,
    `  “${escapedLine(source.text, citedShownChars)}”`,
  ];
}

function reviewLines({ model, critiques, revised_distribution, revised_confidence }: ReviewView): string[] {
  return [
    `### ${model}, after reading the others: ${percentages(revised_distribution)}; own confidence ${revised_confidence}`,
    ...critiques.map(
      each =>
        `- on ${each.model}: strengths: ${escapedLine(each.strengths)} Weaknesses: ${escapedLine(each.weaknesses)}`,
    ),
  ];
}

function marketLine(
  market: MarketSnapshotView['markets'][number],
  unit: MarketSnapshotView['volume_unit'],
): string {
  const { market: name, status, best_bid: bid, best_ask: ask, volume } = market;
  return `- ${escapedLine(name)}: ${status}, bid ${bid ?? 'none'}, ask ${ask ?? 'none'}, volume ${Math.round(volume)} ${unit === 'usd' ? 'USD' : unit}${market.taker_fee === null ? ', no bets: its fee is of an unknown kind' : ''}`;
}

function percentages(distribution: OpinionView['distribution']): string {
  return distribution
    .map(({ outcome, probability }) => `${escapedLine(outcome)} ${probability} %`)
    .join(', ');
}
