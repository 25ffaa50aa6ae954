import type { DeliberationView, OpinionView } from '../../../contract/deliberation.js';
import { leadingNames, otherFavourites } from '../../../contract/report-text/leading-number.js';
import type { ReportView } from '../../../contract/reports.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { percentText } from '../../shared/format.js';

/** The probabilities of an outcome, in percent. */
export interface DistributionRow {
  readonly outcome: string;
  readonly council: number;
  /** Null where there is no price. */
  readonly market: number | null;
  /** Null where there is none. */
  readonly estimate: number | null;
  /** Final forecasts of the members. */
  readonly members: readonly number[];
  /** Null until the event is graded, and if it cannot be. */
  readonly happened: boolean | null;
}

/** The estimate, the council's distribution and the market's, most likely first by the number that leads. */
export function distributionRows(
  { deliberation, grade }: Pick<ReportView, 'deliberation' | 'grade'>,
  runtime: Pick<RuntimeView, 'market_probabilities' | 'market_implied_probabilities' | 'estimate'>,
): DistributionRow[] {
  const members = finalDistributions(deliberation).map(({ distribution }) => distribution);
  const happened = new Map(grade?.scores?.outcomes.map(({ name, happened }) => [name, happened]));
  return Object.entries(runtime.market_probabilities)
    .map(([outcome, council]) => {
      const result = happened.get(outcome) ?? null;
      return {
        outcome,
        council,
        market: runtime.market_implied_probabilities[outcome] ?? null,
        estimate: runtime.estimate?.probabilities[outcome] ?? null,
        members: members.flatMap(distribution =>
          distribution.filter(each => each.outcome === outcome).map(({ probability }) => probability),
        ),
        happened: result === null ? null : result === 1,
      };
    })
    .sort(byLeading);
}

const shownMax = 8;
const keptWhenFolded = 6;

/**
 * Splits the rows into those that are shown and those that are collapsed. Keeps the outcomes that are likely
 * according to one of the three numbers, and the outcome that happened.
 */
export function foldRows(rows: readonly DistributionRow[]): {
  readonly shown: readonly DistributionRow[];
  readonly folded: readonly DistributionRow[];
} {
  if (rows.length <= shownMax) return { shown: rows, folded: [] };
  const kept = new Set([...rows].sort((a, b) => weightOf(b) - weightOf(a)).slice(0, keptWhenFolded));
  return { shown: rows.filter(row => kept.has(row)), folded: rows.filter(row => !kept.has(row)) };
}

function byLeading(a: DistributionRow, b: DistributionRow): number {
  return (b.estimate ?? b.council) - (a.estimate ?? a.council) || b.council - a.council;
}

function weightOf({ council, market, estimate, happened }: DistributionRow): number {
  return happened === true ? Number.POSITIVE_INFINITY : Math.max(council, market ?? 0, estimate ?? 0);
}

export interface FinalDistribution {
  readonly model: OpinionView['model'];
  readonly distribution: OpinionView['distribution'];
}

/** The revised distribution of each member, or its first one if its review was lost. */
function finalDistributions(deliberation: DeliberationView | null): FinalDistribution[] {
  if (deliberation === null) return [];
  const { opinions, cross_review: review } = deliberation;
  return opinions.map(({ model, distribution }) => ({
    model,
    distribution: review.reviews.find(each => each.model === model)?.revised_distribution ?? distribution,
  }));
}

export const numberTitles = { ...leadingNames, market: 'Market' } as const;

export function percentOrNone(value: number | null): string {
  return value === null ? 'none' : percentText(value);
}

/** How the market's probabilities were derived from its prices. */
export function marketBasisText(
  runtime: Pick<RuntimeView, 'market_implied_basis' | 'market_trustworthy'>,
): string {
  switch (runtime.market_implied_basis) {
    case 'normalised':
      return `The market’s are the midpoints of bid and ask, scaled to add up to 100 %.${thin(runtime)}`;
    case 'independent':
      return `The market’s are the midpoints of bid and ask.${thin(runtime)}`;
    case 'sum_out_of_range':
      return 'The market’s prices add up to too much or too little to be read as probabilities, so none are shown.';
    case 'no_price':
      return 'The market has no prices.';
  }
}

function thin({ market_trustworthy: trustworthy }: Pick<RuntimeView, 'market_trustworthy'>): string {
  return trustworthy ? '' : ' Its order book is too thin for a comparison with the council.';
}

/** The favourites of council and market, where they are another outcome than the one that leads. */
export function otherFavouritesText(runtime: Parameters<typeof otherFavourites>[0]): string {
  return otherFavourites(runtime)
    .map(
      ({ name, outcome, percent }) => `The ${name}’s favourite is ${outcome} with ${percentText(percent)}.`,
    )
    .join(' ');
}
