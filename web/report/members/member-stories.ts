import type { OpinionView, PositionView, ReviewView } from '../../../contract/deliberation.js';
import type { ReportView } from '../../../contract/reports.js';

type Model = OpinionView['model'];
type Critique = ReviewView['critiques'][number];
type Deliberation = NonNullable<ReportView['deliberation']>;

/** Everything that one member did in the deliberation. */
export interface MemberStory {
  readonly model: Model;
  readonly modelId: string | null;
  /** Null if the member was lost before it gave one. */
  readonly opinion: OpinionView | null;
  readonly review: ReviewView | null;
  readonly position: PositionView | null;
  /** Rank by the votes of the other members; null without votes. */
  readonly rank: number | null;
  readonly received: readonly (Omit<Critique, 'model'> & { readonly from: Model })[];
  readonly losses: ReportView['dropouts'];
}

/** Every requested member. Those with an opinion that counts come first, in the council's order. */
export function memberStories(report: ReportView, deliberation: Deliberation): MemberStory[] {
  const counted = deliberation.positions.map(({ model }) => model);
  const requested = report.council_config.requested.models;
  return [...counted, ...requested.filter(model => !counted.includes(model))].map(model =>
    storyOf(model, report, deliberation),
  );
}

function storyOf(model: Model, report: ReportView, deliberation: Deliberation): MemberStory {
  const { reviews, aggregate_ranking: ranking } = deliberation.cross_review;
  const opinion = deliberation.opinions.find(each => each.model === model) ?? null;
  const review = reviews.find(each => each.model === model) ?? null;
  return {
    model,
    modelId: opinion?.model_id ?? null,
    opinion,
    review,
    position: deliberation.positions.find(each => each.model === model) ?? null,
    rank: ranking.find(each => each.model === model)?.rank ?? null,
    received: reviews.flatMap(({ model: from, critiques }) =>
      critiques
        .filter(critique => critique.model === model)
        .map(({ strengths, weaknesses }) => ({ from, strengths, weaknesses })),
    ),
    losses: report.dropouts.filter(dropout => dropout.model === model),
  };
}

/** Whether the review changed the member's favourite. */
export function changedFavourite({ opinion, review }: MemberStory): boolean {
  if (opinion === null || review === null) return false;
  return favouriteOf(opinion.distribution) !== favouriteOf(review.revised_distribution);
}

function favouriteOf(distribution: OpinionView['distribution']): string | null {
  let best: OpinionView['distribution'][number] | null = null;
  for (const each of distribution) if (best === null || each.probability > best.probability) best = each;
  return best?.outcome ?? null;
}

export interface MemberRow {
  readonly outcome: string;
  readonly first: number;
  /** The forecast that counts: the first one if the review was lost. */
  readonly final: number;
}

const shownMax = 6;

/** A member's forecast before and after the review, most likely first. */
export function memberRows(
  opinion: Pick<OpinionView, 'distribution'>,
  review: Pick<ReviewView, 'revised_distribution'> | null,
): { readonly shown: readonly MemberRow[]; readonly folded: readonly MemberRow[] } {
  const rows = opinion.distribution
    .map(({ outcome, probability }) => ({
      outcome,
      first: probability,
      final: review?.revised_distribution.find(each => each.outcome === outcome)?.probability ?? probability,
    }))
    .sort((a, b) => b.final - a.final);
  const kept = rows.length <= shownMax ? rows.length : shownMax - 1;
  return { shown: rows.slice(0, kept), folded: rows.slice(kept) };
}
