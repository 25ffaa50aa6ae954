import type { DeliberationView } from '../../contract/deliberation.js';
import type { Conclusion } from '../../council/report.js';
import type { StoredAnswer, StoredDeliberation } from '../../db/deliberation.js';

/** The whole deliberation: who said what, who changed their mind, who dissents, who was ranked where. Never dollars. */
export function presentDeliberation(stored: StoredDeliberation, conclusion: Conclusion): DeliberationView {
  const synthesis = stored.syntheses[0];
  return {
    opinions: stored.opinions.map(opinion => ({ ...source(opinion), ...opinion.answer })),
    cross_review: {
      reviews: stored.reviews.map(review => ({
        ...source(review),
        ranking: review.answer.ranking,
        critiques: review.answer.critiques,
        revised_distribution: review.answer.revisedDistribution,
        revised_confidence: review.answer.revisedConfidence,
      })),
      aggregate_ranking: conclusion.aggregate_ranking,
    },
    positions: conclusion.positions,
    synthesis:
      synthesis === undefined
        ? null
        : {
            ...source(synthesis),
            summary: synthesis.answer.summary,
            agreements: synthesis.answer.agreements,
            disagreements: synthesis.answer.disagreements,
            key_uncertainties: synthesis.answer.keyUncertainties,
          },
  };
}

function source({ model, modelId, attempts, latencyMs }: StoredAnswer<unknown>) {
  return { model, model_id: modelId, attempts, latency_ms: latencyMs };
}
