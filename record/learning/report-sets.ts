import { type EstimateMethod, estimateFormulas } from '../../council/method.js';
import { councilModels } from '../../council/models.js';
import { at, sum } from '../../council/numbers.js';
import type { GradedOutcome } from '../grades/grade.js';
import type { RecordedForecast, RecordedOutcome } from '../recorded-forecast.js';
import type { ResolvedSet } from './resolved-sets.js';

/**
 * What can be learnt from a graded report: the whole set of an exclusive event, or each independent market as its YES
 * and NO. Only where the entry has an estimate.
 *
 * @param kind the formula that is fitted: it names the opinions whose dispersion counts
 * @param graded aligned with the outcomes of the forecast; empty if nothing was graded
 */
export function reportSets(
  forecast: RecordedForecast,
  graded: readonly GradedOutcome[],
  kind: EstimateMethod,
): ResolvedSet[] {
  const { event_id: event, outcomes, exclusive } = forecast;
  const happened = graded.map(outcome => outcome.happened);
  if (exclusive) {
    const set = wholeSet(outcomes, kind);
    const winner = happened.indexOf(1);
    return set === null || winner === -1 ? [] : [{ event, happened: winner, ...set }];
  }
  return outcomes.flatMap((outcome, index) => {
    const result = happened[index] ?? null;
    const set = result === null ? null : oneMarket(outcome, kind);
    return set === null ? [] : [{ event, happened: result === 1 ? 0 : 1, ...set }];
  });
}

type Rows = Pick<ResolvedSet, 'market' | 'council' | 'members'>;

/** An outcome without a price has probability 0 if the other prices add up, which counts as the floor. */
function wholeSet(outcomes: readonly RecordedOutcome[], kind: EstimateMethod): Rows | null {
  const market = outcomes.map(outcome => (outcome.market ?? 0) / 100);
  const members = membersOf(outcomes, kind).filter(row => sum(row) > 0);
  if (!outcomes.every(isEstimated) || sum(market) === 0 || members.length === 0) return null;
  return { market, council: outcomes.map(({ council }) => council / 100), members };
}

function oneMarket(outcome: RecordedOutcome, kind: EstimateMethod): Rows | null {
  const members = membersOf([outcome], kind);
  if (!isEstimated(outcome) || outcome.market === null || members.length === 0) return null;
  return {
    market: bothSides(outcome.market / 100),
    council: bothSides(outcome.council / 100),
    members: members.map(row => bothSides(at(row, 0))),
  };
}

function isEstimated({ estimate }: RecordedOutcome): boolean {
  return estimate !== null;
}

/** Each member that has a number for all of the outcomes. */
function membersOf(outcomes: readonly RecordedOutcome[], kind: EstimateMethod): number[][] {
  const isFirst = estimateFormulas[kind].dispersionOf === 'first';
  return councilModels.flatMap(model => {
    const row = outcomes.flatMap(({ members, first_members }) => {
      const percent = (isFirst ? first_members : members)[model];
      return percent === undefined ? [] : [percent / 100];
    });
    return row.length === outcomes.length ? [row] : [];
  });
}

function bothSides(yes: number): readonly [yes: number, no: number] {
  return [yes, 1 - yes];
}
