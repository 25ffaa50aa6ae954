import { evidenceStatuses } from '../../council/evidence.js';
import { at, sum, totalVariation } from '../../council/numbers.js';
import type { ReportScores } from '../grades/grade.js';
import type { RecordedForecast } from '../recorded-forecast.js';
import { type DescribedMean, describedMean, votesByEvent } from './event-mean.js';
import { type Figures, figuresBuilder, type ScoreSummary, scoreSummaryBuilder } from './figures.js';

/** `not_searched`: members were not asked to search, as in all reports that were stored before they could. */
export const evidenceSlices = [...evidenceStatuses, 'not_searched'] as const;

export type EvidenceSlice = (typeof evidenceSlices)[number];

/** The reports whose members' searches ended alike. */
export interface EvidenceFigures extends ScoreSummary {
  readonly estimate: Figures;
  readonly market_distance_points: DescribedMean;
}

export function evidenceSliceOf({ evidence }: Pick<RecordedForecast, 'evidence'>): EvidenceSlice {
  return evidence?.status ?? 'not_searched';
}

interface EvidenceFiguresBuilder {
  add(event: number, forecast: RecordedForecast, scores: ReportScores, width: number): void;
  finish(): EvidenceFigures;
}

export function evidenceFiguresBuilder(): EvidenceFiguresBuilder {
  const summary = scoreSummaryBuilder(evidenceSlices.length);
  const ofEstimate = figuresBuilder();
  const distances = votesByEvent(1);
  return {
    add: (event, forecast, scores, width) => {
      const { council, market, estimate } = scores;
      summary.add(event, { council, market, width });
      ofEstimate.add(event, estimate);
      if (council !== null && market !== null) {
        distances.add(event, [marketDistancePoints(forecast, scores)]);
      }
    },
    finish: () => {
      const { n, columns } = distances.finish();
      return {
        ...summary.finish(),
        estimate: ofEstimate.finish(),
        market_distance_points: describedMean(n, at(columns, 0)),
      };
    },
  };
}

/**
 * How far the council was from the market, in percentage points, 0 to 100, on the outcomes that are scored. Exclusive
 * outcomes: the total variation distance, which is |p − q| on a yes/no question, and does not shrink with the number of
 * outcomes. Independent markets: the mean of |p − q|.
 *
 * It measures how closely the council follows a price that its members must not see. It does not say why. Members that
 * search read the news that has moved the market, so honest research may bring them closer too; so does a price that
 * slipped through the filters. And searched and unsearched reports are about different events. A correlation would not
 * separate these causes either, and is harder to read.
 */
function marketDistancePoints(
  { outcomes, exclusive }: Pick<RecordedForecast, 'outcomes' | 'exclusive'>,
  { outcomes: graded }: Pick<ReportScores, 'outcomes'>,
): number {
  const scored = outcomes.filter((_, index) => at(graded, index).happened !== null);
  const council = scored.map(outcome => outcome.council);
  const market = scored.map(outcome => outcome.market ?? 0);
  if (exclusive) return totalVariation(council, market);
  return sum(council.map((percent, index) => Math.abs(percent - at(market, index)))) / scored.length;
}
