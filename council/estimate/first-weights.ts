import firstWeightsFile from './first-weights.json' with { type: 'json' };
import { parseWeights } from './parse-weights.js';
import shippedWeightsFile from './shipped-weights.json' with { type: 'json' };
import type { Weights } from './weights.js';

/** The weights of 1.0.0, for `estimate/1`. Its migration stores them, and its reports name them. */
export const firstWeights: Weights = parseWeights(firstWeightsFile);

/**
 * The weights that this release ships with, fitted by `council weights fit` on 1,943 forecasts of 531 resolved questions
 * (Halawi et al. 2024, the half for training).
 */
export const shippedWeights: Weights = parseWeights(shippedWeightsFile);
