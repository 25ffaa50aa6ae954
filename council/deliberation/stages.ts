import type { CouncilModel } from '../models.js';

/** The three stages of a deliberation, in order. */
export const stages = ['opinions', 'cross_review', 'synthesis'] as const;

export type Stage = (typeof stages)[number];

/** The stages that a run goes through, in order: members look things up before they deliberate. */
export const progressStages = ['research', ...stages] as const;

export type ProgressStage = (typeof progressStages)[number];

/**
 * Everything that models are called for. `market_gap` is no stage of the deliberation: a member explains the distance to
 * the market beside the synthesis, when all forecasts are final.
 */
export const callStages = [...progressStages, 'market_gap'] as const;

export type CallStage = (typeof callStages)[number];

/** What a member answers in a schema. A search is answered in prose. */
export type QuestionStage = Exclude<CallStage, 'research'>;

/** Probability in percent (0..100) of one outcome of the event. */
export interface OutcomeProbability {
  readonly outcome: string;
  readonly probability: number;
}

/** Stage 1: one model's forecast, made before it sees a price or another member's answer. */
export interface Opinion {
  readonly distribution: readonly OutcomeProbability[];
  /**
   * 0..100: 100 minus the width of the range in `grounds`. The member's own statement if it gave no valid range, and in
   * opinions of 1.0.0.
   */
  readonly confidence: number;
  readonly rationale: string;
  readonly evidence: readonly Fact[];
  /** Absent in opinions of 1.0.0. */
  readonly grounds?: Grounds;
}

/** What a forecast starts from, how far it may be off, and what would change it. No part of it is pooled into the consensus. */
export interface Grounds {
  /** The rule in the member's own words. */
  readonly rule: string | null;
  /** Percent: the chance that the event resolves otherwise than the facts suggest, by wording, source or dispute. */
  readonly resolutionRisk: number | null;
  /** At most two, the one that fits better first. */
  readonly baseRates: readonly BaseRate[];
  /** The forecast by the base rates alone, of the outcome that they speak of. */
  readonly outsideView: OutcomeProbability | null;
  /** The outcome that `range` and `wouldChange` speak of; `subjectIndex` has the rule. */
  readonly subject: string;
  readonly range: PercentRange | null;
  /** At most three. */
  readonly wouldChange: readonly PossibleChange[];
  /** Why parts are missing, in the service's own words: they were absent or, after a repair, still invalid. */
  readonly dropped: readonly string[];
}

/** How often comparable events ended this way: k of n. */
export interface BaseRate {
  readonly referenceClass: string;
  readonly k: number;
  readonly n: number;
  readonly period: string;
  /** As in {@link Fact}. */
  readonly sources: readonly string[];
}

/** The 10th and 90th percentile of the member's own probability after a further day of research, in percent. */
export interface PercentRange {
  readonly low: number;
  readonly high: number;
}

/** A checkable event, a date (`YYYY-MM-DD`), and the member's probability (percent) of the subject if it happens by then. */
export interface PossibleChange {
  readonly if: string;
  readonly by: string;
  readonly to: number;
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
  /** At most five, of the council's subject. Absent in syntheses of 1.0.0. */
  readonly triggers?: readonly Trigger[];
  /** Why triggers are missing, as in {@link Grounds}. Absent in syntheses of 1.0.0. */
  readonly dropped?: readonly string[];
}

/** Possible changes of several members, merged by the chairman. Has no number of its own. */
export interface Trigger {
  readonly if: string;
  /** `YYYY-MM-DD` */
  readonly by: string;
  /** Whether the subject becomes more or less probable. */
  readonly direction: 'up' | 'down';
  /** At least one. `change` is the place in that member's `wouldChange`; null if the chairman named only the member. */
  readonly basedOn: readonly { readonly model: CouncilModel; readonly change: number | null }[];
}

/** Beside stage 3: what market and council may each know that the other does not, by a member that was shown both. */
export interface MarketGapReasons {
  readonly marketMayKnow: string;
  readonly councilMayKnow: string;
}
