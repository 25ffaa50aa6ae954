import { quoteFreshSeconds } from '../../council/method.js';
import { roundTo } from '../../council/numbers.js';
import type { BetView } from '../runtime.js';
import { numberLines, shownNumbers, sideNumbers, stakeText } from './estimate-text.js';
import { resolutionRiskText } from './grounds-text.js';
import {
  type LeadingNumber,
  leadingNumber,
  leadingPercent,
  leadingSentence,
  otherFavourites,
  yesOutcome,
} from './leading-number.js';
import { escapedLine, item, linkTo, part, table } from './markdown.js';
import { otherVenueText } from './other-venue-text.js';
import type { ReportParts } from './report-parts.js';

type Runtime = NonNullable<ReportParts['runtime']>;

/** Estimate, council and market. The estimate leads; the fields of the JSON that name a headline keep their own rule. */
export function numbersPart(report: ReportParts, runtime: Runtime): string[] {
  const names = shownNumbers(runtime);
  const title = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const leading = leadingNumber(runtime);
  const others = otherFavourites(runtime).map(
    ({ name, outcome, percent }) => `The ${name}’s favourite is ${escapedLine(outcome)} with ${percent} %.`,
  );
  return part(
    `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    [
      [`Most likely: **${escapedLine(leading.outcome)}**. ${leadingSentence(leading)}`, ...others].join(' '),
    ].map(item),
    outcomeTable(runtime),
    [
      ...numberLines(runtime),
      ...independenceNote(runtime),
      ...dissentLines(report),
      `Prices of ${runtime.prices_at}.`,
      ...otherVenueLines(report),
    ].map(item),
  );
}

/** Outcomes in percent, most likely first. */
function outcomeTable(runtime: Runtime): string[] {
  const numbers = shownNumbers(runtime);
  const probabilities = {
    council: runtime.market_probabilities,
    market: runtime.market_implied_probabilities,
    estimate: runtime.estimate?.probabilities ?? {},
  };
  const names = Object.keys(runtime.market_probabilities).sort(
    (a, b) => leadingPercent(runtime, b) - leadingPercent(runtime, a),
  );
  return table(
    ['Outcome, %', ...numbers],
    names.map(name => [
      escapedLine(name),
      ...numbers.map(number => String(probabilities[number][name] ?? 'none')),
    ]),
  );
}

/** Empty for an event of which exactly one outcome wins. */
function independenceNote({ exclusive }: Runtime): string[] {
  return exclusive ? [] : ['Each outcome is a separate yes/no question; percentages do not add up to 100.'];
}

function dissentLines({ positions }: ReportParts): string[] {
  return positions
    .filter(({ dissents }) => dissents)
    .map(
      ({ model, most_likely_outcome: outcome, most_likely_probability: percent, distance_points: points }) =>
        `Dissent: ${model} puts ${escapedLine(outcome)} first at ${percent} %, ${points} points from the council.`,
    );
}

/** Only of a report with a pair at another venue that answered. */
function otherVenueLines({ other_venue: prices = [] }: ReportParts): string[] {
  return prices.map(price => {
    const text = otherVenueText(price, { outcomeOf: escapedLine });
    return `${text}${price.url === null ? '.' : `: ${linkTo(price.url)}`}`;
  });
}

/** What to do at these prices, and how far to trust the numbers. */
export function verdictPart(report: ReportParts, runtime: Runtime): string[] {
  const { queried_market: market, action, confidence } = report;
  const { resolution_risk: risk } = runtime;
  return part(
    'Verdict and bets',
    [
      `Verdict on “${escapedLine(market ?? '')}” alone: **${action}**.${skipText(report, runtime)}${queriedText(report, runtime)}`,
      ...betLines(runtime),
      `Confidence ${confidence} of at most 85: how much weight the council’s number deserves, not a chance of being right.`,
      ...(risk === null ? [] : [resolutionRiskText(risk)]),
    ].map(item),
  );
}

/** Beside bets, a SKIP needs a reason. Without any, it is said where they would be. */
function skipText({ action }: ReportParts, { top_bets: bets }: Runtime): string {
  return action === 'SKIP' && bets.length > 0 ? ' No edge on this market.' : '';
}

/** The numbers of the queried market's YES, unless they lead already. */
function queriedText({ queried_market: market }: ReportParts, runtime: Runtime): string {
  const leading: LeadingNumber = leadingNumber(runtime);
  const yes = yesOutcome(runtime, market);
  if (yes === null || yes === leading.outcome) return '';
  return ` YES: ${leadingSentence(leadingNumber(runtime, yes), leading)}`;
}

const betKinds = {
  edge: 'Edge (claims a mispricing)',
  pick: 'Pick (the council’s favourite at a fair price, claims nothing else)',
} as const;

function betLines(runtime: Runtime): string[] {
  if (runtime.top_bets.length === 0) return [`No bet is suggested: ${noBetReason(runtime)}.`];
  const hasStakes = runtime.top_bets.some(({ stake_fraction: stake }) => stake !== null);
  return [...runtime.top_bets.map(betLine), ...(hasStakes ? [stakeText] : [])];
}

function noBetReason(runtime: Runtime): string {
  if (runtime.consensus_market_conflict) return 'council and market are in conflict';
  if (runtime.estimate_missing !== null) return 'there is no estimate to price one by';
  if (runtime.bets_missing === 'unknown_fee')
    return 'the venue’s fee is of a kind that is not known here, so no bet can be priced';
  if (runtime.quote_age_seconds > quoteFreshSeconds)
    return 'the prices were too old when the report was completed';
  return 'no price is wrong by enough';
}

function betLine(bet: BetView): string {
  const { council, market } = sideNumbers(bet);
  return (
    `${betKinds[bet.kind]}: ${bet.side} “${escapedLine(bet.market)}” at ${bet.share_cost.toFixed(3)} USD a share, fee included; ` +
    `wins with ${bet.win_probability} % (estimate), council ${council} %, market ${market} %: edge ${bet.edge_points} points; ` +
    `a dollar returns ${signed(bet.expected_return_per_dollar)} on average, ` +
    `${signed(bet.payout_per_dollar)} if it wins.${stakeOf(bet)}`
  );
}

/** Nothing in a report of release 1.0.0. */
function stakeOf({ stake_fraction: stake }: BetView): string {
  return stake === null ? '' : ` Stake ${roundTo(stake * 100, 2)} % of a bankroll.`;
}

function signed(dollars: number): string {
  const rounded = dollars.toFixed(2);
  return Number(rounded) < 0 ? rounded : `+${rounded.replace('-', '')}`;
}
