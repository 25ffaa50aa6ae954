import { logScoreClampMin } from '../../council/method.js';
import { at, scaledToOne, sum } from '../../council/numbers.js';
import type { ReportScores } from '../grades/grade.js';
import type { RecordedForecast, RecordedOutcome } from '../recorded-forecast.js';

/**
 * What one dollar has become that was staked against the market's prices, one event after the other: evidence that grows
 * while prices can be beaten, and that may be looked at at any time.
 *
 * Each event has one vote: the return r ≥ −1 of its first report (the lowest `report_id`) that has one. Wealth is the mean
 * over the fixed `stakes` s of Π (1 + s·r) over the events. The stakes are fixed in advance, so none is chosen by
 * looking.
 *
 * If prices are fair, the expectation of r is at most 0, given all that was known before the event's outcome. Each product
 * is then a supermartingale that begins with 1, and so is their mean. By Ville's inequality (1939) it ever reaches 20 with
 * a probability of 5 % at most, and its highest value is evidence as well: the chance that it ever reaches x is at most
 * 1/x (Shafer 2021, "Testing by betting"; Waudby-Smith and Ramdas 2024).
 *
 * It takes for granted that when a market resolves says nothing about how, and that events are separate, as all figures do.
 * It can only show that prices are beaten; that bets lose is shown by `confidence_sequence_95` of their returns.
 */
export interface Wealth {
  /** Number of bets, or of reports, that decide the returns. */
  readonly n: number;
  readonly events: number;
  /** Natural logarithm of the dollars that one dollar has become. It does not depend on the order of the events. */
  readonly log_wealth: number;
  /**
   * The highest value so far, at least 0, with the events in the order of `resolved_at` of the report that decides the
   * return; those of the same millisecond in the order of `report_id`.
   */
  readonly max_log_wealth: number;
  /** The same in words. */
  readonly text: string;
}

export type WealthFigures = Readonly<Record<'council' | 'estimate' | 'bets' | 'edge_bets' | 'picks', Wealth>>;

interface WealthFiguresBuilder {
  /** Reports come in ascending `report_id`. */
  add(event: number, forecast: RecordedForecast, scores: ReportScores, resolvedAt: Date): void;
  finish(): WealthFigures;
}

export function wealthFiguresBuilder(): WealthFiguresBuilder {
  const council = wealthBuilder();
  const estimate = wealthBuilder();
  const bets = wealthBuilder();
  const edges = wealthBuilder();
  const picks = wealthBuilder();
  return {
    add: (event, forecast, scores, resolvedAt) => {
      council.add(event, resolvedAt, returnsAgainstMarket('council', forecast, scores));
      estimate.add(event, resolvedAt, returnsAgainstMarket('estimate', forecast, scores));
      bets.add(event, resolvedAt, betReturns(scores));
      edges.add(event, resolvedAt, betReturns(scores, 'edge'));
      picks.add(event, resolvedAt, betReturns(scores, 'pick'));
    },
    finish: () => ({
      council: council.finish(),
      estimate: estimate.finish(),
      bets: bets.finish(),
      edge_bets: edges.finish(),
      picks: picks.finish(),
    }),
  };
}

/** The settled bets of a report, at the costs that it named: the dollar of the event is split equally over them. */
function betReturns({ bets }: ReportScores, only?: 'edge' | 'pick'): number[] {
  return bets.flatMap(({ won, kind, return_per_dollar }) =>
    won === null || (only !== undefined && kind !== only) ? [] : [return_per_dollar],
  );
}

/**
 * The return of a dollar that is spread over the outcomes by the forecast and paid at the market's odds: p / q − 1, for
 * the outcome that happened. Its expectation is 0 if the market's probabilities q are right, and its product over the
 * events, at a stake of 1, is the likelihood ratio. An exclusive set has one, independent markets one each, as YES and NO.
 * Probabilities are raised to 0.001, as in the log score, and scaled to 1.
 *
 * @returns nothing unless both are scored
 */
function returnsAgainstMarket(
  forecaster: 'council' | 'estimate',
  { outcomes, exclusive }: RecordedForecast,
  scores: ReportScores,
): number[] {
  if (scores[forecaster] === null || scores.market === null) return [];
  const happened = scores.outcomes.map(outcome => outcome.happened);
  const returnOn = (given: Percents, priced: Percents, winner: number) =>
    at(raised(given), winner) / at(raised(priced), winner) - 1;
  if (exclusive) {
    const percents = (of: (outcome: RecordedOutcome) => number | null) => outcomes.map(each => of(each) ?? 0);
    return [
      returnOn(
        percents(outcome => outcome[forecaster]),
        percents(outcome => outcome.market),
        happened.indexOf(1),
      ),
    ];
  }
  return outcomes.flatMap((outcome, index) => {
    const result = happened[index] ?? null;
    const sides = (percent: number | null) => [percent ?? 0, 100 - (percent ?? 0)];
    return result === null ? [] : [returnOn(sides(outcome[forecaster]), sides(outcome.market), 1 - result)];
  });
}

type Percents = readonly number[];

function raised(percents: Percents): number[] {
  return scaledToOne(scaledToOne(percents).map(p => Math.max(logScoreClampMin, p)));
}

/** Shares of the wealth that are staked on each event; each begins with an equal part of the dollar. */
const stakes = [0.05, 0.1, 0.2, 0.4, 0.8];

/** Keeps two numbers an event. */
function wealthBuilder() {
  const votes: { readonly at: number; readonly value: number }[] = [];
  // Events are numbered in the order of their first reports, but the first one with a return may come later.
  const voted = new Set<number>();
  let n = 0;
  return {
    /** @param returns of the report, one a bet or a market */
    add: (event: number, resolvedAt: Date, returns: readonly number[]): void => {
      if (returns.length === 0 || voted.has(event)) return;
      voted.add(event);
      votes.push({ at: resolvedAt.getTime(), value: sum(returns) / returns.length });
      n += returns.length;
    },
    finish: (): Wealth => {
      // A stable sort keeps the order of the reports where times are equal.
      const ordered = votes.toSorted((one, other) => one.at - other.at);
      const { last, highest } = logWealth(ordered.map(({ value }) => value));
      return {
        n,
        events: votes.length,
        log_wealth: last,
        max_log_wealth: highest,
        text: wealthText(votes.length, last, highest),
      };
    },
  };
}

/** @param returns of the events in their order, each at least −1 */
export function logWealth(returns: readonly number[]): { readonly last: number; readonly highest: number } {
  const logs = stakes.map(() => 0);
  let [last, highest] = [0, 0];
  for (const value of returns) {
    for (const [index, stake] of stakes.entries()) logs[index] = at(logs, index) + Math.log1p(stake * value);
    // The largest one first, because wealth itself may exceed what a number holds.
    const largest = Math.max(...logs);
    last = largest + Math.log(sum(logs.map(log => Math.exp(log - largest))) / stakes.length);
    highest = Math.max(highest, last);
  }
  return { last, highest };
}

/** Dollars at which wealth is called strong evidence: fair prices reach it with a chance of 5 % at most. */
export const strongWealth = 20;

function wealthText(events: number, last: number, highest: number): string {
  if (events === 0) return 'Nothing to stake on has resolved yet.';
  const strong = Math.log(strongWealth);
  const finding =
    last >= strong
      ? 'This is strong evidence that these prices could be beaten.'
      : highest >= strong
        ? `It has reached $${strongWealth}, which was strong evidence, and has fallen since.`
        : last > 0
          ? 'This is too little to say that these prices could be beaten.'
          : 'This is no evidence that these prices could be beaten.';
  return (
    `One dollar, staked against the prices on ${events} event${events === 1 ? '' : 's'} one after the other, ` +
    `has become ${dollars(last)}; its highest value was ${dollars(highest)}. With fair prices, it would ever reach ` +
    `$${strongWealth} with a chance of 5 % at most. ${finding}`
  );
}

const cent = 0.01;
const dollarsWrittenMax = 1_000_000;

function dollars(log: number): string {
  const wealth = Math.exp(log);
  if (wealth < cent) return `less than $${cent}`;
  return wealth > dollarsWrittenMax ? 'more than $1,000,000' : `$${wealth.toFixed(2)}`;
}
