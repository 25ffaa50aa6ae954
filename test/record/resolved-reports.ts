import type { QuestionEstimates } from '../../record/learning/question-sets.js';
import { bothSides, type ResolvedReport } from '../../record/learning/resolved-reports.js';

/** A yes/no question. Probabilities (0..1) are of YES. */
export interface YesNoQuestion {
  readonly event: string;
  readonly checkpoint?: string;
  readonly outcome: 0 | 1;
  readonly market: number | null;
  readonly forecasts: readonly (number | null)[];
}

export function yesNo({ event, checkpoint, outcome, market, forecasts }: YesNoQuestion): ResolvedReport {
  return {
    event,
    checkpoint: checkpoint ?? null,
    exclusive: true,
    markets: [{ name: event, outcome, price: market }],
    forecasts: forecasts.map(p => (p === null ? null : [p])),
  };
}

/** Estimates of yes/no questions by their probabilities of YES. */
export function yesEstimates(estimates: readonly (number | null)[]): QuestionEstimates {
  return estimates.map(p => (p === null ? null : bothSides(p)));
}
