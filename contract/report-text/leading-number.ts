import type { RuntimeView } from '../runtime.js';
import { missingReason } from './estimate-text.js';

/**
 * What a report says first about an outcome, on the page, in Markdown, on the command line and to assistants: the estimate,
 * with the numbers that it weighs beside it. Where there is none, the council's number, and why.
 */
export interface LeadingNumber {
  readonly outcome: string;
  /** Whose number it is. */
  readonly name: 'estimate' | 'council';
  readonly percent: number;
  /** The other numbers, such as `(council, without seeing a price: 71; market: 54)`. */
  readonly beside: string;
  /** Why it is not the estimate. Null if it is. */
  readonly why: string | null;
}

type Numbers = Pick<
  RuntimeView,
  'market_probabilities' | 'market_implied_probabilities' | 'estimate' | 'estimate_missing'
>;

/** @param outcome by default the most likely one */
export function leadingNumber(runtime: Numbers, outcome: string = likeliest(runtime)): LeadingNumber {
  const council = runtime.market_probabilities[outcome] ?? 0;
  const market = `market: ${runtime.market_implied_probabilities[outcome] ?? 'no price'}`;
  const estimate = runtime.estimate?.probabilities[outcome] ?? null;
  if (estimate !== null) {
    const beside = `(council, without seeing a price: ${council}; ${market})`;
    return { outcome, name: 'estimate', percent: estimate, beside, why: null };
  }
  const beside = `(without seeing a price; ${market})`;
  return { outcome, name: 'council', percent: council, beside, why: whyCouncil(runtime) };
}

/** "Estimate 58 % (council, without seeing a price: 71; market: 54)" */
export function leadingText({ name, percent, beside }: LeadingNumber): string {
  return `${leadingNames[name]} ${percent} % ${beside}`;
}

/** The same as a sentence, with the reason where it is not the estimate, unless a sentence before has given it. */
export function leadingSentence(leading: LeadingNumber, before: LeadingNumber | null = null): string {
  const { why } = leading;
  return `${leadingText(leading)}.${why === null || why === before?.why ? '' : ` ${why}`}`;
}

export const leadingNames = { estimate: 'Estimate', council: 'Council' } as const;

function whyCouncil({ estimate_missing: missing }: Numbers): string {
  const [what, reason] =
    missing === null ? ['estimate of it', 'its price is not firm'] : ['estimate', missingReason(missing)];
  return `There is no ${what}, because ${reason}, so the number is the council’s.`;
}

/** The percent that an outcome is ranked by: the estimate or, without one, the council's. */
export function leadingPercent(
  { estimate, market_probabilities: council }: Numbers,
  outcome: string,
): number {
  return estimate?.probabilities[outcome] ?? council[outcome] ?? 0;
}

function likeliest(runtime: Numbers): string {
  return highest(Object.keys(runtime.market_probabilities), outcome => leadingPercent(runtime, outcome));
}

/** The favourites of council and market, where they are another outcome than the one that leads. */
export function otherFavourites(runtime: Numbers): readonly OtherFavourite[] {
  const leading = likeliest(runtime);
  const sides = [
    ['council', runtime.market_probabilities],
    ['market', runtime.market_implied_probabilities],
  ] as const;
  return sides.flatMap(([name, percents]) => {
    const outcome = highest(Object.keys(percents), each => percents[each] ?? 0);
    const percent = percents[outcome] ?? null;
    return percent === null || percent === percents[leading] ? [] : [{ name, outcome, percent }];
  });
}

export interface OtherFavourite {
  readonly name: 'council' | 'market';
  readonly outcome: string;
  readonly percent: number;
}

/**
 * The outcome that is the YES of a market: the one of its name or, of the only market, the first of its two sides. Null if
 * that is not known, because JSON puts names that are whole numbers first.
 */
export function yesOutcome({ market_probabilities: council }: Numbers, market: string | null): string | null {
  if (market === null) return null;
  if (Object.hasOwn(council, market)) return market;
  const [yes, no, ...others] = Object.keys(council);
  if (yes === undefined || no === undefined || others.length > 0 || /^\d+$/.test(yes)) return null;
  return yes;
}

/** The first of the highest. */
function highest(outcomes: readonly string[], percentOf: (outcome: string) => number): string {
  return outcomes.reduce(
    (best, each) => (percentOf(each) > percentOf(best) ? each : best),
    outcomes[0] ?? '',
  );
}
