import type { CouncilModel } from '../models.js';

/** The three stages of a deliberation, in order. */
export const stages = ['opinions', 'cross_review', 'synthesis'] as const;

export type Stage = (typeof stages)[number];

/** Probability in percent (0..100) of one outcome of the event. */
export interface OutcomeProbability {
  readonly outcome: string;
  readonly probability: number;
}

/** Stage 1: what one model thinks, before it has seen a price or another member's answer. */
export interface Opinion {
  readonly distribution: readonly OutcomeProbability[];
  /** 0..100, the member's own. */
  readonly confidence: number;
  readonly rationale: string;
  readonly evidence: readonly string[];
}

/** Stage 2, labels already translated back into members: what one model makes of the others' answers. */
export interface CrossReview {
  /** Best first; a permutation of the members it was shown, never itself. */
  readonly ranking: readonly CouncilModel[];
  readonly critiques: readonly Critique[];
  readonly revisedDistribution: readonly OutcomeProbability[];
  readonly revisedConfidence: number;
}

export interface Critique {
  readonly model: CouncilModel;
  readonly strengths: string;
  readonly weaknesses: string;
}

/** Stage 3: the chairman's words. It carries no number, so that no text of a chairman can move one. */
export interface Synthesis {
  readonly summary: string;
  readonly agreements: readonly string[];
  readonly disagreements: readonly string[];
  readonly keyUncertainties: readonly string[];
}
