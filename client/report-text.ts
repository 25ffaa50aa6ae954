import type { PositionView } from '../contract/deliberation.js';
import type { BetView, RuntimeView } from '../contract/runtime.js';
import { pricedBy, sideNumbers } from './estimate-text.js';
import { noEvidenceText, type SearchView } from './evidence-text.js';

/** Sentences about a report, shared by the command line and the MCP tools. */

export const simulatedWarning = 'SIMULATED: no language model was called.';

type Limits = Pick<RuntimeView, 'consensus_market_conflict' | 'degraded' | 'models' | 'provider_failures'>;

/**
 * What limits the report; empty for a report without limits.
 *
 * @param search null if members did not search
 */
export function limitWarnings(runtime: Limits, search: SearchView | null): string[] {
  const noEvidence = noEvidenceText(search);
  const failures = Object.entries(runtime.provider_failures).map(([model, text]) => `${model} ${text}`);
  return [
    ...(runtime.consensus_market_conflict
      ? [
          'CONFLICT: council and market disagree strongly. The headline is the market’s favourite and no bet is suggested; do not derive one from the distribution.',
        ]
      : []),
    ...(runtime.degraded
      ? [`DEGRADED: ${failures.join('; ')}. Only ${runtime.models.join(', ')} took part.`]
      : []),
    ...(noEvidence === null ? [] : [`NO EVIDENCE: ${noEvidence}`]),
  ];
}

/** A text of several lines that a model wrote, indented, so that none of them can imitate a line of the report. */
export function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}

export interface OutcomeRow {
  readonly name: string;
  readonly council: number;
  /** Null where the market has no price. */
  readonly market: number | null;
  /** Null where there is no estimate. */
  readonly estimate: number | null;
}

/** "gpt, after claude timed out after 10 s": the author of the summary. */
export function chairmanText({ chairman, synthesis }: Pick<RuntimeView, 'chairman' | 'synthesis'>): string {
  const replaced = synthesis?.replaced ?? [];
  if (replaced.length === 0) return chairman;
  return `${chairman}, after ${replaced.map(({ model, reason }) => `${model} ${reason}`).join(' and ')}`;
}

/** Outcomes in percent, most likely first. */
export function outcomeRows(
  runtime: Pick<RuntimeView, 'market_probabilities' | 'market_implied_probabilities' | 'estimate'>,
): OutcomeRow[] {
  return Object.entries(runtime.market_probabilities)
    .sort(([, a], [, b]) => b - a)
    .map(([name, council]) => ({
      name,
      council,
      market: runtime.market_implied_probabilities[name] ?? null,
      estimate: runtime.estimate?.probabilities[name] ?? null,
    }));
}

/** Empty for an event of which exactly one outcome wins. */
export function independenceNote({ exclusive }: Pick<RuntimeView, 'exclusive'>): string[] {
  return exclusive ? [] : ['Each outcome is a separate yes/no question; percentages do not add up to 100.'];
}

export function dissentLines(positions: readonly PositionView[]): string[] {
  return positions
    .filter(({ dissents }) => dissents)
    .map(
      ({ model, most_likely_outcome: outcome, most_likely_probability: percent, distance_points: points }) =>
        `Dissent: ${model} puts ${outcome} first at ${percent} %, ${points} points from the council.`,
    );
}

const betKinds = {
  edge: 'Edge (claims a mispricing)',
  pick: 'Pick (the council’s favourite at a fair price, claims nothing else)',
} as const;

export function betLines(runtime: Pick<RuntimeView, 'top_bets' | 'estimate'>): string[] {
  if (runtime.top_bets.length === 0) return ['No bet is suggested.'];
  return runtime.top_bets.map(bet => betLine(bet, pricedBy(runtime)));
}

function betLine(bet: BetView, priced: 'council' | 'estimate'): string {
  const { council, market } = sideNumbers(bet);
  const beside = priced === 'estimate' ? `, council ${council} %` : '';
  return (
    `${betKinds[bet.kind]}: ${bet.side} “${bet.market}” at ${bet.share_cost.toFixed(3)} USD a share, fee included; ` +
    `wins with ${bet.win_probability} % (${priced})${beside}, market ${market} %: edge ${bet.edge_points} points; ` +
    `a dollar returns ${signed(bet.expected_return_per_dollar)} on average, ` +
    `${signed(bet.payout_per_dollar)} if it wins.`
  );
}

function signed(dollars: number): string {
  return `${dollars < 0 ? '' : '+'}${dollars.toFixed(2)}`;
}
