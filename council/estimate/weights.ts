import type { EstimateMethod } from '../method.js';
import type { Coefficients, EstimateWeights } from '../report.js';

/**
 * Learnt coefficients and where they come from, as stored, published and named by every report that used them. Never
 * changed: a new fit makes new weights.
 */
export interface Weights {
  /** Unique: lower-case letters, digits, dots and hyphens, for example `refit-2031-03-02`. */
  readonly id: string;
  /** The formula that the coefficients were fitted for. */
  readonly kind: EstimateMethod;
  readonly coefficients: Coefficients;
  /** What the coefficients were shrunk towards: the incumbent's, or those of the fixed blend. */
  readonly prior: Coefficients;
  readonly lambda: number;
  readonly trained_on: TrainedOn;
  /** Null if nothing was estimated before its outcome was known: the first weights that a refit fits. */
  readonly walk_forward: WalkForward | null;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

/** Weights as a report computes with them: what it publishes of them, and their formula, which it publishes as its method. */
export interface WeightsInForce extends EstimateWeights, Pick<Weights, 'kind'> {}

export interface TrainedOn {
  /** Each has a weight of one, however many rows it has. */
  readonly events: number;
  readonly rows: number;
  /** The fit knew nothing later (ISO 8601, UTC). Null if the rows name no times. */
  readonly until: string | null;
  /** SHA-256, hex, of `canonicalRows`. */
  readonly rows_sha256: string;
}

/**
 * The scores of estimates by coefficients that were fitted without the outcome they estimate: by the challengers of
 * earlier refits, which were stored before the reports were made, or, if the rows name no times (`until` is null), by a
 * fit on other events. Means over events, each with a weight of one.
 */
export interface WalkForward {
  /** Half the sum of (p − y)² over the outcomes, 0 to 1; with two outcomes, (p − outcome)². Less is better. */
  readonly brier: number;
  /** −ln of the probability given to what happened, at least 0.001. Less is better. */
  readonly log_score: number;
  /** Brier minus that of the incumbent's coefficients on the same rows. Below 0 the new ones are better. */
  readonly minus_incumbent: number;
  /** 95 % interval of `minus_incumbent`, drawn by event. Null below two events. */
  readonly interval_95: readonly [low: number, high: number] | null;
}

/** The coefficients of the fixed blend: what is known before anything is learnt. */
export const blendCoefficients: Coefficients = { market: 0.8, council: 0.2, council_by_dispersion: 0 };

/** The one text of weights: their SHA-256 is over it, in UTF-8. */
export function canonicalWeights(weights: Weights): string {
  const { id, kind, coefficients, prior, lambda, trained_on, walk_forward, created_at } = weights;
  const { events, rows, until, rows_sha256 } = trained_on;
  return JSON.stringify({
    id,
    kind,
    coefficients: ordered(coefficients),
    prior: ordered(prior),
    lambda,
    trained_on: { events, rows, until, rows_sha256 },
    walk_forward: walk_forward && orderedScores(walk_forward),
    created_at,
  });
}

function ordered({ market, council, council_by_dispersion }: Coefficients): Coefficients {
  return { market, council, council_by_dispersion };
}

function orderedScores({ brier, log_score, minus_incumbent, interval_95 }: WalkForward): WalkForward {
  return { brier, log_score, minus_incumbent, interval_95 };
}
