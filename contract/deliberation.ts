import { z } from 'zod';
import { count, fraction, list, model, percent } from './parts.js';

/** The author of an answer and what it took to get it. Never costs. */
const source = {
  model,
  model_id: z.string().describe('The vendor’s identifier of the model that answered.'),
  attempts: count.describe(
    'Model calls made for this answer, including repairs and answers that were cut off.',
  ),
  latency_ms: count,
};

export const outcomeProbabilityShape = z.object({ outcome: z.string(), probability: percent });
const distribution = list(outcomeProbabilityShape);

export const opinionShape = z.object({
  ...source,
  distribution,
  confidence: percent,
  rationale: z.string(),
  evidence: list(z.string()),
});

export const reviewShape = z.object({
  ...source,
  ranking: list(model).describe(
    'The other members, best first. The reviewer did not know which answer was whose.',
  ),
  critiques: list(z.object({ model, strengths: z.string(), weaknesses: z.string() })),
  revised_distribution: distribution,
  revised_confidence: percent,
});

export const rankedMemberShape = z.object({
  model,
  rank: count,
  score: fraction.describe('Mean normalised Borda score, 0 to 1.'),
  ballots: count,
});

export const positionShape = z.object({
  model,
  most_likely_outcome: z.string(),
  most_likely_probability: percent,
  moved_points: z.number().describe('Percentage points between its first and its final forecast.'),
  distance_points: z.number().describe('Percentage points between its final forecast and the council’s.'),
  dissents: z.boolean().describe('It has another favourite than the council, or is 15 points or more away.'),
});

export const synthesisShape = z.object({
  ...source,
  summary: z.string(),
  agreements: list(z.string()),
  disagreements: list(z.string()),
  key_uncertainties: list(z.string()),
});

/** The answers of all members at all three stages, and what is computed from them. */
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
