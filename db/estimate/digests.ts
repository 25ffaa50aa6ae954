import { createHash } from 'node:crypto';
import { canonicalWeights, type Weights } from '../../council/estimate/weights.js';
import { canonicalRows, type ResolvedSet } from '../../council/learning/resolved-sets.js';

/** SHA-256, hex, of weights: with their id, how every report names those it used. */
export function weightsSha256(weights: Weights): string {
  return sha256(canonicalWeights(weights));
}

/** SHA-256, hex, of the rows that weights are trained on, in whatever order they were read. */
export function rowsSha256(sets: readonly ResolvedSet[]): string {
  return sha256(canonicalRows(sets));
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
