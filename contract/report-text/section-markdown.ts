import { listItemMaxChars, nameMaxChars } from '../../council/text.js';
import type { FactView, OpinionView, ReviewView, SynthesisView } from '../deliberation.js';
import type { MarketSnapshotView } from '../reports.js';
import { estimateFormula, formulaTerms } from './estimate-text.js';
import {
  didNotSearch,
  finderText,
  ownKnowledge,
  searchedInVain,
  searcherText,
  sourceDate,
} from './evidence-text.js';
import { escapedLine, linkTo, quoted } from './markdown.js';
import type { ReportParts } from './report-parts.js';

type Runtime = NonNullable<ReportParts['runtime']>;
type Source = NonNullable<ReportParts['sources']>[number];

/** The sections that a report has, each below a heading. */
export function sectionLines(report: ReportParts, runtime: Runtime): string[] {
  const { synthesis, opinions, sources, cross_review: review, market_snapshot: snapshot, method } = report;
  return [
    ...(synthesis ? section('Synthesis', synthesisLines(synthesis)) : []),
    ...(opinions ? section('Opinions, formed without seeing a price', opinions.flatMap(opinionLines)) : []),
    ...(sources ? section('Sources', sourceLines(report, sources)) : []),
    ...(review ? section('Cross-review, anonymous', review.reviews.flatMap(reviewLines)) : []),
    ...(review
      ? section(
          'Ranking by the others',
          review.aggregate_ranking.map(
            each => `${each.rank}. ${each.model} (Borda score ${each.score} of 1)`,
          ),
        )
      : []),
    ...(snapshot ? section(`Market at ${snapshot.taken_at}`, snapshot.markets.map(marketLine)) : []),
    ...(method ? section(`Method ${method.name}`, methodLines(method, runtime)) : []),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', `## ${title}`, ...lines];
}

function methodLines({ pooling, thresholds }: NonNullable<ReportParts['method']>, { estimate }: Runtime) {
  return [
    `- ${pooling}`,
    ...(estimate === null
      ? []
      : [
          `- ${estimate.method}: ${escapedLine(estimateFormula(estimate, thresholds))}. ${formulaTerms(estimate)}`,
          `- Weights ${escapedLine(estimate.weights.id)}, SHA-256 ${estimate.weights.sha256}.`,
        ]),
    `- \`${JSON.stringify(thresholds)}\``,
  ];
}

function synthesisLines({ agreements, disagreements, key_uncertainties }: SynthesisView): string[] {
  return [
    ...agreements.map(text => `- agreed: ${escapedLine(text)}`),
    ...disagreements.map(text => `- disagreed: ${escapedLine(text)}`),
    ...key_uncertainties.map(text => `- uncertain: ${escapedLine(text)}`),
  ];
}

function opinionLines({ model, model_id, distribution, confidence, rationale, evidence }: OpinionView) {
  return [
    `### ${model} (${escapedLine(model_id)}): ${percentages(distribution)}; own confidence ${confidence}`,
    ...quoted(rationale),
    '',
    ...evidence.map(fact => `- ${factLine(fact)}`),
  ];
}

/** "Inflation was 2.9 percent in October. (S2, S5)", or with "(own knowledge)". */
function factLine({ fact, sources }: FactView): string {
  const origin = sources.length === 0 ? ownKnowledge : sources.map(id => escapedLine(id)).join(', ');
  return `${escapedLine(fact, listItemMaxChars)} (${origin})`;
}

function sourceLines(
  { evidence, not_found: notFound = [] }: ReportParts,
  sources: readonly Source[],
): string[] {
  if (evidence === null) return [didNotSearch];
  return [
    ...(sources.length === 0 ? ['none'] : sources.flatMap(sourceLine)),
    ...(notFound.length === 0 ? [] : ['', searchedInVain, '']),
    ...notFound.map(line => `- ${escapedLine(line.text)} ${searcherText(line)}`),
  ];
}

/** A report can have dozens of sources; everything cited to them would fill as much context as the opinions. */
const citedShownChars = 200;

/** "- S2 statistics.example.org, 2026-11-12: Consumer prices in October. <https://…> Found by grok." and what is cited. */
function sourceLine(source: Source): string[] {
  const { id, url, domain, title } = source;
  const name = title === null ? '' : escapedLine(title, nameMaxChars);
  const titlePart = name === '' ? '.' : `: ${name}${/[.!?…]$/.test(name) ? '' : '.'}`;
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

function marketLine(market: MarketSnapshotView['markets'][number]): string {
  const { market: name, status, best_bid: bid, best_ask: ask, volume } = market;
  return `- ${escapedLine(name)}: ${status}, bid ${bid ?? 'none'}, ask ${ask ?? 'none'}, volume ${Math.round(volume)} USD`;
}

function percentages(distribution: OpinionView['distribution']): string {
  return distribution
    .map(({ outcome, probability }) => `${escapedLine(outcome)} ${probability} %`)
    .join(', ');
}
