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
import { datePart, idsPart, itemPart, percentPart, type Read, readAs, readEach } from './parts.js';

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
  const parts = {
    rule: read('rule', (value, field) => readAs(field, value, itemPart)),
    resolutionRisk: read('resolution_risk', (value, field) => readAs(field, value, percentPart)),
    baseRates: read('base_rates', readEach(baseRatePart(shown.citable), baseRatesMax)) ?? [],
    outsideView: read('outside_view', (value, field) => readAs(field, value, outsideViewPart(rule))),
    subject: own.outcome,
    range: read('range', (value, field) => readAs(field, value, rangePart(own.probability))),
    wouldChange: read('would_change', readEach(changePart(shown.today), changesMax)) ?? [],
  };
  return { grounds: { ...parts, dropped: [...flaws, ...absent] }, flaws };
}

/** How sure a forecast is that research would not move it: 100 minus the width of its range, 0..100. */
export function confidenceOf({ low, high }: PercentRange): number {
  return roundTo(100 - (high - low), 1);
}

const baseRatesMax = 2;
const changesMax = 3;

function baseRatePart(citable: readonly string[]): z.ZodType<BaseRate> {
  return z
    .object({
      reference_class: itemPart,
      k: z.int().min(0),
      n: z.int().min(1),
      period: itemPart,
      sources: idsPart,
    })
    .refine(({ k, n }) => k <= n, { error: 'k must be at most n' })
    .refine(({ sources }) => sources.every(id => citable.includes(id)), {
      error: 'its sources must be ids of the sources shown',
    })
    .transform(({ reference_class: referenceClass, ...rest }) => ({ referenceClass, ...rest }));
}

function outsideViewPart({ outcomes }: DistributionRule): z.ZodType<OutcomeProbability> {
  const labels = outcomeLabels(outcomes.length);
  return z
    .object({ outcome: z.string(), probability: percentPart })
    .refine(({ outcome }) => labels.includes(outcome), { error: 'its outcome must be a label of this event' })
    .transform(({ outcome, probability }) => ({
      outcome: at(outcomes, labels.indexOf(outcome)),
      probability,
    }));
}

/** The member's own probability lies within its range, or the two answer different questions. */
function rangePart(own: number): z.ZodType<PercentRange> {
  return z
    .object({ low: percentPart, high: percentPart })
    .refine(({ low, high }) => low <= high, { error: 'low must be at most high' })
    .refine(({ low, high }) => low > high || (low <= own && own <= high), {
      error: `must contain the probability that you give yourself, ${own}`,
    });
}

function changePart(today: string): z.ZodType<PossibleChange> {
  return z.object({ if: itemPart, by: datePart(today), to: percentPart });
}
