import type { DeliberationView, OpinionView } from '../../../contract/deliberation.js';
import type { ReportView } from '../../../contract/reports.js';
import type { RuntimeView } from '../../../contract/runtime.js';

/** One outcome, with what everybody makes of it in percent. */
export interface DistributionRow {
  readonly outcome: string;
  readonly council: number;
  /** Null where there is no price. */
  readonly market: number | null;
  /** The members' final numbers. */
  readonly members: readonly number[];
  /** Null until it is known, and where it cannot be told. */
  readonly happened: boolean | null;
}

/** The council's distribution beside the market's, most likely first. */
export function distributionRows(
  { deliberation, grade }: Pick<ReportView, 'deliberation' | 'grade'>,
  runtime: Pick<RuntimeView, 'market_probabilities' | 'market_implied_probabilities'>,
): DistributionRow[] {
  const members = finalDistributions(deliberation).map(({ distribution }) => distribution);
  const happened = new Map(grade?.scores?.outcomes.map(({ name, happened }) => [name, happened]));
  return Object.entries(runtime.market_probabilities)
    .map(([outcome, council]) => {
      const answer = happened.get(outcome) ?? null;
      return {
        outcome,
        council,
        market: runtime.market_implied_probabilities[outcome] ?? null,
        members: members.flatMap(distribution =>
          distribution.filter(each => each.outcome === outcome).map(({ probability }) => probability),
        ),
        happened: answer === null ? null : answer === 1,
      };
    })
    .sort(byCouncil);
}

const shownMax = 14;
const keptWhenFolded = 10;

/**
 * What is shown at once, and what is folded away. An outcome counts by the greater of its two numbers, and what happened is
 * always shown, so that nothing of weight to either side is hidden.
 */
export function foldRows(rows: readonly DistributionRow[]): {
  readonly shown: readonly DistributionRow[];
  readonly folded: readonly DistributionRow[];
} {
  if (rows.length <= shownMax) return { shown: rows, folded: [] };
  const kept = new Set([...rows].sort((a, b) => weightOf(b) - weightOf(a)).slice(0, keptWhenFolded));
  return { shown: rows.filter(row => kept.has(row)), folded: rows.filter(row => !kept.has(row)) };
}

function byCouncil(a: DistributionRow, b: DistributionRow): number {
  return b.council - a.council || (b.market ?? 0) - (a.market ?? 0);
}

function weightOf({ council, market, happened }: DistributionRow): number {
  return happened === true ? Number.POSITIVE_INFINITY : Math.max(council, market ?? 0);
}

export interface FinalDistribution {
  readonly model: OpinionView['model'];
  readonly distribution: OpinionView['distribution'];
}

/** Each member's last word: the revised distribution, or the first one where its review was lost. */
function finalDistributions(deliberation: DeliberationView | null): FinalDistribution[] {
  if (deliberation === null) return [];
  const { opinions, cross_review: review } = deliberation;
  return opinions.map(({ model, distribution }) => ({
    model,
    distribution: review.reviews.find(each => each.model === model)?.revised_distribution ?? distribution,
  }));
}

/** How prices became the market's probabilities, and whether they could be. */
export function marketBasisText(
  runtime: Pick<RuntimeView, 'market_implied_basis' | 'market_trustworthy'>,
): string {
  switch (runtime.market_implied_basis) {
    case 'normalised':
      return `The market’s are the middle of bid and ask, scaled to add up to 100 % too.${thin(runtime)}`;
    case 'independent':
      return `The market’s are the middle of bid and ask, each taken by itself.${thin(runtime)}`;
    case 'sum_out_of_range':
      return 'The market’s prices add up to too much or too little to stand for probabilities, so none are shown.';
    case 'no_price':
      return 'The market has no price for any of them.';
  }
}

function thin({ market_trustworthy: trustworthy }: Pick<RuntimeView, 'market_trustworthy'>): string {
  return trustworthy ? '' : ' Its book is too thin to hold against the council.';
}
