import { z } from 'zod';
import { count, fraction, list, model, percent } from './parts.js';

/** Whose answer it is, which model of the vendor gave it, and what it took. Never dollars. */
const source = {
  model,
  model_id: z.string().describe('Which model of the vendor answered.'),
  attempts: count,
  latency_ms: count,
};

const distribution = list(z.object({ outcome: z.string(), probability: percent }));

export const opinionShape = z.object({
  ...source,
  distribution,
  confidence: percent,
  rationale: z.string(),
  evidence: list(z.string()),
});

export const reviewShape = z.object({
  ...source,
  ranking: list(model).describe('Of the others, whose names it did not see; best first.'),
  critiques: list(z.object({ model, strengths: z.string(), weaknesses: z.string() })),
  revised_distribution: distribution,
  revised_confidence: percent,
});

export const rankedMemberShape = z.object({
  model,
  rank: count,
  score: fraction.describe('Mean normalised Borda score.'),
  ballots: count,
});

export const positionShape = z.object({
  model,
  most_likely_outcome: z.string(),
  most_likely_probability: percent,
  moved_points: z.number().describe('How far cross-review moved it.'),
  distance_points: z.number().describe('How far it stands from the council.'),
  dissents: z.boolean(),
});

export const synthesisShape = z.object({
  ...source,
  summary: z.string(),
  agreements: list(z.string()),
  disagreements: list(z.string()),
  key_uncertainties: list(z.string()),
});

/** Who said what, who changed their mind, who was ranked where, and what the chairman made of it. */
export const deliberationShape = z.object({
  opinions: list(opinionShape),
  cross_review: z.object({ reviews: list(reviewShape), aggregate_ranking: list(rankedMemberShape) }),
  positions: list(positionShape),
  synthesis: synthesisShape.nullable(),
});

export type DeliberationView = z.infer<typeof deliberationShape>;
export type OpinionView = z.infer<typeof opinionShape>;
export type ReviewView = z.infer<typeof reviewShape>;
export type PositionView = z.infer<typeof positionShape>;
export type SynthesisView = z.infer<typeof synthesisShape>;
