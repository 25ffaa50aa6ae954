import { baseRatesTitle } from '../../contract/report-text/grounds-text.js';
import { triggersTitle } from '../../contract/report-text/trigger-text.js';
import { BetsPart } from './bets/bets-part.js';
import type { CompletedView } from './completed-view.js';
import { GradePart } from './grade/grade-part.js';
import { BaseRatesPart, hasBaseRates } from './grounds/base-rates-part.js';
import { MarketGapPart, marketGapTitle } from './grounds/market-gap-part.js';
import { TriggersPart } from './grounds/triggers-part.js';
import { Cautions } from './headline/cautions.js';
import {
  type PriceHistory,
  PriceSincePart,
  priceSinceTitle,
  usePriceHistory,
} from './headline/price-since.js';
import { DeliberationPart } from './members/deliberation-part.js';
import { ProbabilitiesPart, probabilitiesTitle } from './probabilities/probabilities-part.js';
import { ProvenancePart } from './provenance/provenance-part.js';
import { SourcesPart } from './sources/sources-part.js';
import { SummaryPart } from './summary/summary-part.js';

/**
 * A completed report as one document: its limitations, the numbers, what to do about them, the reasons, and everything
 * that they are based on.
 */
export function CompletedReport(completed: CompletedView) {
  const { report, runtime, deliberation } = completed;
  const { evidence, opinions } = deliberation;
  const triggers = triggersOf(deliberation);
  const history = usePriceHistory(completed);
  return (
    <>
      <Cautions {...completed} />
      <Contents parts={partsOf(completed, history)} />
      <ProbabilitiesPart report={report} runtime={runtime} />
      {history === null ? null : <PriceSincePart history={history} />}
      <BetsPart report={report} runtime={runtime} />
      <SummaryPart summary={report.summary} runtime={runtime} synthesis={deliberation.synthesis} />
      {runtime.market_gap === null ? null : <MarketGapPart runtime={runtime} deliberation={deliberation} />}
      {hasBaseRates(completed) ? <BaseRatesPart {...completed} /> : null}
      {triggers.length === 0 ? null : <TriggersPart triggers={triggers} runtime={runtime} />}
      {report.grade === null ? null : <GradePart grade={report.grade} runtime={runtime} />}
      {evidence === null ? null : <SourcesPart evidence={evidence} opinions={opinions} />}
      <DeliberationPart {...completed} />
      <ProvenancePart {...completed} />
      <p className="disclaimer">{report.disclaimer}</p>
    </>
  );
}

/** Empty without a synthesis, and in reports of 1.0.0. */
const triggersOf = ({ synthesis }: CompletedView['deliberation']) => synthesis?.triggers ?? [];

/** The parts that the report has, by anchor and title. */
function partsOf(
  completed: CompletedView,
  history: PriceHistory | null,
): readonly (readonly [id: string, title: string])[] {
  const { report, runtime, deliberation } = completed;
  const parts: readonly (readonly [id: string, title: string, isThere?: boolean])[] = [
    ['probabilities', probabilitiesTitle(runtime)],
    ['price-since', priceSinceTitle, history !== null],
    ['bets', 'Verdict and bets'],
    ['summary', 'Summary'],
    ['market-gap', marketGapTitle, runtime.market_gap !== null],
    ['base-rates', baseRatesTitle, hasBaseRates(completed)],
    ['triggers', triggersTitle, triggersOf(deliberation).length > 0],
    ['grade', 'Outcome', report.grade !== null],
    ['sources', 'Sources', deliberation.evidence !== null],
    ['deliberation', 'Members'],
    ['provenance', 'How it is calculated'],
  ];
  return parts.flatMap(([id, title, isThere = true]) => (isThere ? [[id, title] as const] : []));
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
