import type { CouncilModel } from '../models.js';

/** The three stages of a deliberation, in order. */
export const stages = ['opinions', 'cross_review', 'synthesis'] as const;

export type Stage = (typeof stages)[number];

/** The stages in which models are called, in order: members look things up before they deliberate. */
export const callStages = ['research', ...stages] as const;

export type CallStage = (typeof callStages)[number];

/** Probability in percent (0..100) of one outcome of the event. */
export interface OutcomeProbability {
  readonly outcome: string;
  readonly probability: number;
}

/** Stage 1: one model's forecast, made before it sees a price or another member's answer. */
export interface Opinion {
  readonly distribution: readonly OutcomeProbability[];
  /** 0..100, the member's own. */
  readonly confidence: number;
  readonly rationale: string;
  readonly evidence: readonly Fact[];
}

/** A fact that a member names for its forecast. */
export interface Fact {
  readonly fact: string;
  /** Ids of the evidence that it cites. Empty: the member's own knowledge. */
  readonly sources: readonly string[];
}

/** Stage 2: one model's review of the others' answers, with labels already replaced by members. */
export interface CrossReview {
  /** Best first; a permutation of the members whose answers it saw, without itself. */
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

/** Stage 3: the chairman's summary. It has no field for a number, so the chairman cannot change one. */
export interface Synthesis {
  readonly summary: string;
  readonly agreements: readonly string[];
  readonly disagreements: readonly string[];
  readonly keyUncertainties: readonly string[];
}
