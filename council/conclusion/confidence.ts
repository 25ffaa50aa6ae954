import {
  confidenceInConflict,
  confidenceMax,
  confidencePerLostModel,
  confidenceSpreadZero,
} from '../method.js';
import { at, roundTo } from '../numbers.js';
import type { MemberForecast } from './consensus.js';

export interface ConfidenceInput {
  readonly forecasts: readonly Pick<MemberForecast, 'fractions' | 'confidence'>[];
  /** Indices of the outcomes that the report's headline and verdict speak of. */
  readonly focus: readonly number[];
  /** How many of the four were lost at any stage. */
  readonly lostModels: number;
  readonly conflict: boolean;
}

/**
 * How much weight the council's own number deserves, 0..85; not a probability of being right.
 *
 *     85 · ½ · (agreement + own) · 0.9^lost · (½ in conflict with the market)
 *
 * agreement: 1 − spread / 0.5, at least 0; spread is the widest gap between members on the outcomes in focus.
 * own: median of the members' own confidences, so that no single member can talk it up.
 * It never nears 100: the errors of such models correlate at about 0.9, so four that agree are hardly more than
 * one. Members far apart were no better than a coin in the evidence, hence 0 at a gap of 50 points.
 */
export function confidence({ forecasts, focus, lostModels, conflict }: ConfidenceInput): number {
  const spread = Math.max(...focus.map(index => gap(forecasts.map(({ fractions }) => at(fractions, index)))));
  const agreement = Math.max(0, 1 - spread / confidenceSpreadZero);
  const own = median(forecasts.map(member => member.confidence)) / 100;
  const penalties = confidencePerLostModel ** lostModels * (conflict ? confidenceInConflict : 1);
  return roundTo(((confidenceMax * (agreement + own)) / 2) * penalties, 1);
}

function gap(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = Math.floor(sorted.length / 2);
  const lower = Math.ceil(sorted.length / 2) - 1;
  return (at(sorted, lower) + at(sorted, upper)) / 2;
}
