import type { ReportScores } from '../grades/grade.js';
import { scoreOf } from '../grades/grade-scores.js';
import type { RecordedForecast } from '../recorded-forecast.js';
import { brierWidth } from './confidence-sequence.js';
import type { EventMean } from './event-mean.js';
import { differenceBuilder, type Figures, figuresBuilder } from './figures.js';

/**
 * What base rates alone would have scored, beside those who had more, on the same reports: those on two outcomes whose
 * members named base rates. Of more outcomes, base rates speak of one, which is no forecast of the others.
 */
export interface OutsideViewFigures {
  readonly outside_view: Figures;
  readonly council: Figures;
  readonly market: Figures;
  readonly estimate: Figures;
  readonly difference: OutsideViewDifference;
}

/** Brier of the council − that of the pooled outside view. Below 0 the council is better than its base rates. */
export interface OutsideViewDifference extends EventMean {
  readonly council_brier: number | null;
  readonly outside_view_brier: number | null;
}

interface OutsideViewFiguresBuilder {
  add(event: number, forecast: RecordedForecast, scores: ReportScores): void;
  finish(): OutsideViewFigures;
}

export function outsideViewFiguresBuilder(): OutsideViewFiguresBuilder {
  const alone = figuresBuilder();
  const council = figuresBuilder();
  const market = figuresBuilder();
  const estimate = figuresBuilder();
  const difference = differenceBuilder(1);
  return {
    add: (event, forecast, scores) => {
      const percents = outsidePercents(forecast);
      const happened = scores.outcomes.flatMap(outcome => outcome.happened ?? []);
      if (percents === null || happened.length !== percents.length) return;
      const fractions = percents.map(percent => percent / 100);
      const score = scoreOf(fractions, happened, true);
      const ofCouncil = forecast.outcomes.map(outcome => outcome.council);
      alone.add(event, score);
      council.add(event, scores.council);
      market.add(event, scores.market);
      estimate.add(event, scores.estimate);
      difference.add(event, scores.council, score, brierWidth(ofCouncil, percents, true));
    },
    finish: () => {
      const { first: council_brier, second: outside_view_brier, ...paired } = difference.finish();
      return {
        outside_view: alone.finish(),
        council: council.finish(),
        market: market.finish(),
        estimate: estimate.finish(),
        difference: { ...paired, council_brier, outside_view_brier },
      };
    },
  };
}

/** Of both outcomes: what is said of the second is recorded as said of the first. Null on other events. */
function outsidePercents({ exclusive, outcomes, outside_view }: RecordedForecast): number[] | null {
  const [view] = outside_view ?? [];
  return view === undefined || !exclusive || outcomes.length !== 2
    ? null
    : [view.probability, 100 - view.probability];
}
