import { estimateFormulas, poolClampMin } from '../../council/method.js';
import { roundTo } from '../../council/numbers.js';
import type { BetView, RuntimeView } from '../runtime.js';

/** What a report says about its three numbers, shared by the page and the report in Markdown. */

const numberTexts = {
  estimate:
    'council and market, weighed with learnt weights. Bets are priced by it: if you act, act on this number.',
  council: 'the members’ forecasts, pooled. All were made without seeing a price.',
  market: 'what the prices imply.',
} as const;

/** What a conflict means for a reader, and why it suggests no bet. ADR 8 has the figures. */
export const conflictText =
  'Council and market disagree strongly. The estimate weighs both, and in conflicts it has been better than the market and ' +
  'than the council. No bet is suggested, because edges in a conflict are unproven.';

/** What the stake of a bet is. */
export const stakeText =
  'Stake: a quarter of the Kelly fraction by the estimate at this cost, bets that exclude one another weighed together, at ' +
  'most 5 % of a bankroll on one event. Arithmetic, not advice.';

export type NumberName = keyof typeof numberTexts;

/** The numbers of a report, in the order in which they are shown. */
export function shownNumbers({ estimate }: Pick<RuntimeView, 'estimate'>): readonly NumberName[] {
  return estimate === null ? ['council', 'market'] : ['estimate', 'council', 'market'];
}

/** What a number is, after its name. */
export function numberText(name: NumberName): string {
  return numberTexts[name];
}

/** One line for each number that the report shows, then what limits the estimate. */
export function numberLines(runtime: Estimated): string[] {
  const lines = shownNumbers(runtime).map(name => `${capital(name)}: ${numberTexts[name]}`);
  return [...lines, ...estimateNotes(runtime)];
}

type Estimated = Pick<RuntimeView, 'estimate' | 'estimate_missing'>;

const missingReasons = {
  no_price: 'the market has no prices',
  sum_out_of_range: 'the market’s prices add up to too much or too little to be read as probabilities',
  no_firm_price: 'the market’s prices are not firm: they rest on old trades or on a wide spread',
} as const;

type Missing = NonNullable<RuntimeView['estimate_missing']>;

export function missingReason(missing: Missing): string {
  return missingReasons[missing];
}

export function missingText(missing: Missing): string {
  return `There is no estimate to price a bet by, because ${missingReasons[missing]}.`;
}

/** Why the report has no estimate, or what limits the one it has. Empty without limits. */
export function estimateNotes({ estimate, estimate_missing: missing }: Estimated): string[] {
  if (missing !== null) return [missingText(missing)];
  return Object.values(estimate?.probabilities ?? {}).includes(null)
    ? ['An outcome without a firm price has no estimate.']
    : [];
}

type Estimate = NonNullable<RuntimeView['estimate']>;
type Thresholds = RuntimeView['method']['thresholds'];

/** The formula of the estimate with the weights as numbers. Probabilities enter it unrounded. */
export function estimateFormula({ weights }: Estimate, thresholds: Thresholds): string {
  const { market, council, council_by_dispersion: byDispersion } = weights.coefficients;
  const sign = byDispersion < 0 ? '−' : '+';
  const usual = thresholds['dispersion_usual'] ?? 'the usual one';
  return (
    `log estimate = ${market} · log market + ` +
    `(${council} ${sign} ${Math.abs(byDispersion)} · (dispersion − ${usual})) · log council`
  );
}

/** What the names in the formula mean. Reports of earlier releases have an earlier formula. */
export function formulaTerms({ method }: Pick<Estimate, 'method'>): string {
  const [, formula] = Object.entries(estimateFormulas).find(([name]) => name === method) ?? [];
  return [
    ...(formula === undefined ? [] : [floorText(formula.priceMin)]),
    'The results are scaled to add up to 100 %; an independent market is a set of its own, of YES and NO.',
    `Dispersion is how far apart the members’ ${formula === undefined ? '' : `${formula.dispersionOf} `}forecasts are: ` +
      'with two outcomes the standard deviation of their log odds, with more the root mean square of it over all pairs of outcomes.',
  ].join(' ');
}

function floorText(priceMin: number): string {
  const [ofCouncil, ofMarket] = [poolClampMin, priceMin].map(min => `${roundTo(200 * min, 3)} %/n`);
  return `Of n outcomes, none counts as less than ${ofCouncil} by the council and its members, or ${ofMarket} by the market.`;
}

/** The probabilities of the side that a bet buys, in percent: a bet states both for the market's YES. */
export function sideNumbers(bet: BetView): { readonly council: number; readonly market: number } {
  const ofSide = (yes: number) => (bet.side === 'BUY_YES' ? yes : roundTo(100 - yes, 1));
  return { council: ofSide(bet.consensus_probability), market: ofSide(bet.market_implied_probability) };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
