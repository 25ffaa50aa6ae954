import { z } from 'zod';
import type {
  BaseRate,
  Grounds,
  OutcomeProbability,
  PercentRange,
  PossibleChange,
} from '../deliberation/stages.js';
import { outcomeLabels, subjectIndex } from '../market/outcome-set.js';
import { at, roundTo } from '../numbers.js';
import type { DistributionRule } from './distribution.js';
import {
  datePart,
  idsPart,
  itemPart,
  type PartCheck,
  pastProblem,
  percentPart,
  type Read,
  readAs,
  readEach,
} from './parts.js';

/** What was shown with the question, by which an answer is checked. */
export interface ShownWithQuestion {
  /** The ids of the sources that the member may cite. */
  readonly citable: readonly string[];
  /** The day of the forecast: `YYYY-MM-DD`, UTC. */
  readonly today: string;
}

/** The fields of an answer as they came: a part that is absent or invalid costs the member nothing but that part. */
export interface GivenGrounds {
  readonly rule?: unknown;
  readonly resolution_risk?: unknown;
  readonly base_rates?: unknown;
  readonly outside_view?: unknown;
  readonly range?: unknown;
  readonly would_change?: unknown;
}

/**
 * Reads the grounds of a forecast, each part by itself. An invalid part is left out and is a flaw: it is asked for again
 * once. An absent part is only named in `dropped`. No part gets a default number.
 *
 * @param distribution the member's own, in the order of the outcomes
 */
export function readGrounds(
  given: GivenGrounds,
  distribution: readonly OutcomeProbability[],
  rule: DistributionRule,
  shown: ShownWithQuestion,
): { readonly grounds: Grounds; readonly flaws: readonly string[] } {
  const flaws: string[] = [];
  const absent: string[] = [];
  const read = <T>(
    field: keyof GivenGrounds,
    parse: (value: unknown, field: string) => Read<T>,
  ): T | null => {
    if (given[field] === undefined) {
      absent.push(`${field}: was not given`);
      return null;
    }
    const { value, problems } = parse(given[field], field);
    flaws.push(...problems);
    return value;
  };
  const own = at(
    distribution,
    subjectIndex(
      rule.exclusive,
      distribution.map(({ probability }) => probability),
    ),
  );
  const { citable, today } = shown;
  const labels = outcomeLabels(rule.outcomes.length);
  const isLabel = ({ outcome }: OutcomeProbability) =>
    labels.includes(outcome) ? null : 'its outcome must be a label of this event';
  const namedView = () => {
    const view = read('outside_view', (value, field) => readAs(field, value, outsideViewPart, isLabel));
    return view && { ...view, outcome: at(rule.outcomes, labels.indexOf(view.outcome)) };
  };
  const parts = {
    rule: read('rule', (value, field) => readAs(field, value, itemPart)),
    resolutionRisk: read('resolution_risk', (value, field) => readAs(field, value, percentPart)),
    baseRates: read('base_rates', readEach(baseRatePart, baseRatesMax, countProblem(citable))) ?? [],
    outsideView: namedView(),
    subject: own.outcome,
    range: read('range', (value, field) => readAs(field, value, rangePart, rangeProblem(own.probability))),
    wouldChange:
      read(
        'would_change',
        readEach(changePart, changesMax, ({ by }) => pastProblem(by, today)),
      ) ?? [],
  };
  return { grounds: { ...parts, dropped: [...flaws, ...absent] }, flaws };
}

/** How sure a forecast is that research would not move it: 100 minus the width of its range, 0..100. */
export function confidenceOf({ low, high }: PercentRange): number {
  return roundTo(100 - (high - low), 1);
}

const baseRatesMax = 2;
const changesMax = 3;

const baseRatePart: z.ZodType<BaseRate> = z
  .object({
    reference_class: itemPart,
    k: z.int().min(0),
    n: z.int().min(1),
    period: itemPart,
    sources: idsPart,
  })
  .transform(({ reference_class: referenceClass, ...rest }) => ({ referenceClass, ...rest }));

function countProblem(citable: readonly string[]): PartCheck<BaseRate> {
  return ({ k, n, sources }) => {
    if (k > n) return 'k must be at most n';
    return sources.every(id => citable.includes(id)) ? null : 'its sources must be ids of the sources shown';
  };
}

const outsideViewPart: z.ZodType<OutcomeProbability> = z.object({
  outcome: z.string(),
  probability: percentPart,
});

const rangePart: z.ZodType<PercentRange> = z.object({ low: percentPart, high: percentPart });

/** The member's own probability lies within its range, or the two answer different questions. */
function rangeProblem(own: number): PartCheck<PercentRange> {
  return ({ low, high }) => {
    if (low > high) return 'low must be at most high';
    return low <= own && own <= high ? null : `must contain the probability that you give yourself, ${own}`;
  };
}

const changePart: z.ZodType<PossibleChange> = z.object({ if: itemPart, by: datePart, to: percentPart });
