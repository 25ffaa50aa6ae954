import { createHash } from 'node:crypto';
import type { ConcludeInput } from '../council/conclusion/conclude.js';
import { canonicalWeights, type Weights } from '../council/estimate/weights.js';
import type { MarketEvent } from '../council/event.js';
import type { Evidence } from '../council/evidence.js';
import { canonicalRules, rulesOf } from '../council/market/rules.js';
import { canonicalRows, type ResolvedSet } from '../record/learning/resolved-sets.js';

/** SHA-256, hex, of weights: with their id, how every report names those it used. */
export function weightsSha256(weights: Weights): string {
  return textSha256(canonicalWeights(weights));
}

/** SHA-256, hex, of the rows that weights are trained on, in whatever order they were read. */
export function rowsSha256(sets: readonly ResolvedSet[]): string {
  return textSha256(canonicalRows(sets));
}

/** SHA-256, hex, of the rules of an event; `council/market/rules.ts` says of which text. */
export function rulesSha256(event: Pick<MarketEvent, 'description' | 'markets'>): string {
  return textSha256(canonicalRules(rulesOf(event)));
}

/** Evidence with the hash of its JSON, as it is stored and published. */
export function hashedEvidence(evidence: Evidence): NonNullable<ConcludeInput['evidence']> {
  return { evidence, sha256: jsonSha256(evidence) };
}

/** SHA-256, hex, of a value's JSON in the order of its fields. */
export function jsonSha256(value: unknown): string {
  return textSha256(JSON.stringify(value));
}

/** SHA-256, hex, of a text in UTF-8. */
export function textSha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
