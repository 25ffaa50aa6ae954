import type {
  DeliberationView,
  MarketGapReasonsView,
  OpinionView,
  ReviewView,
  SynthesisView,
} from '../../contract/deliberation.js';
import { baseRatePercent } from '../../council/conclusion/outside-view.js';
import type {
  CrossReview,
  Grounds,
  MarketGapReasons,
  Opinion,
  Synthesis,
  Trigger,
} from '../../council/deliberation/stages.js';
import type { Conclusion } from '../../council/report.js';
import type { StoredAnswer, StoredDeliberation } from '../../db/reports/deliberation.js';

/** Omits the dollars that the model calls cost, which are not public. */
export function presentDeliberation(stored: StoredDeliberation, conclusion: Conclusion): DeliberationView {
  const synthesis = stored.syntheses[0];
  const gap = stored.marketGaps[0];
  return {
    opinions: stored.opinions.map(presentOpinion),
    cross_review: {
      reviews: stored.reviews.map(presentReview),
      aggregate_ranking: conclusion.aggregate_ranking,
    },
    positions: conclusion.positions,
    synthesis: synthesis === undefined ? null : presentSynthesis(synthesis, stored, conclusion),
    evidence: conclusion.evidence,
    market_gap: gap === undefined ? null : presentMarketGap(gap),
  };
}

function source({ model, modelId, attempts, latencyMs }: StoredAnswer<unknown>) {
  return { model, model_id: modelId, attempts, latency_ms: latencyMs };
}

function presentOpinion(stored: StoredAnswer<Opinion>): OpinionView {
  const { grounds, ...opinion } = stored.answer;
  return { ...source(stored), ...opinion, ...presentGrounds(grounds) };
}

/** @param grounds absent in opinions of 1.0.0 */
function presentGrounds(grounds: Grounds | undefined) {
  return {
    rule: grounds?.rule ?? null,
    resolution_risk: grounds?.resolutionRisk ?? null,
    base_rates: (grounds?.baseRates ?? []).map(({ referenceClass, k, n, period, sources }) => ({
      reference_class: referenceClass,
      k,
      n,
      rate: baseRatePercent({ k, n }),
      period,
      sources,
    })),
    outside_view: grounds?.outsideView ?? null,
    subject: grounds?.subject ?? null,
    range: grounds?.range ?? null,
    would_change: grounds?.wouldChange ?? [],
    dropped: grounds?.dropped ?? [],
  };
}

function presentReview(stored: StoredAnswer<CrossReview>): ReviewView {
  const { ranking, critiques, revisedDistribution, revisedConfidence } = stored.answer;
  return {
    ...source(stored),
    ranking,
    critiques,
    revised_distribution: revisedDistribution,
    revised_confidence: revisedConfidence,
  };
}

function presentSynthesis(
  stored: StoredAnswer<Synthesis>,
  { opinions }: StoredDeliberation,
  { runtime }: Conclusion,
): SynthesisView {
  const { summary, agreements, disagreements, keyUncertainties, triggers, dropped } = stored.answer;
  return {
    ...source(stored),
    summary,
    agreements,
    disagreements,
    key_uncertainties: keyUncertainties,
    triggers: (triggers ?? []).map(trigger => presentTrigger(trigger, opinions, runtime.subject)),
    dropped: dropped ?? [],
  };
}

/** The numbers are those of the members that speak of the report's subject. */
function presentTrigger(
  { basedOn, ...trigger }: Trigger,
  opinions: StoredDeliberation['opinions'],
  subject: string | undefined,
): SynthesisView['triggers'][number] {
  const numbers = basedOn.flatMap(({ model, change }) => {
    const grounds = opinions.find(opinion => opinion.model === model)?.answer.grounds;
    const cited = change === null ? undefined : grounds?.wouldChange[change];
    return cited === undefined || grounds?.subject !== subject ? [] : [[model, cited.to] as const];
  });
  return {
    ...trigger,
    members: [...new Set(basedOn.map(({ model }) => model))],
    to: Object.fromEntries(numbers),
  };
}

function presentMarketGap(stored: StoredAnswer<MarketGapReasons>): MarketGapReasonsView {
  const { marketMayKnow, councilMayKnow } = stored.answer;
  return { ...source(stored), market_may_know: marketMayKnow, council_may_know: councilMayKnow };
}
