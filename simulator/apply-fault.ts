import type { OutcomeProbability } from '../council/deliberation/stages.js';
import type { WireAnswer } from './dialects/dialect.js';
import type { Fault } from './faults.js';
import type { AnswerFields } from './write-answer.js';

/** Applies a fault to an answer: changes its text and the finish reason that the vendor reports. */
export function applyFault(fields: AnswerFields, fault: Fault | null): FaultyAnswer {
  if (fault?.kind === 'says') return complete(fault.text);
  const alter = fault === null ? undefined : alterations[fault.kind];
  return alter === undefined ? complete(JSON.stringify(fields)) : alter(fields);
}

type FaultyAnswer = Pick<WireAnswer, 'text' | 'ending'>;

function complete(text: string): FaultyAnswer {
  return { text, ending: 'complete' };
}

/** All other faults replace the response and do not reach this function. */
const alterations: Partial<Record<Fault['kind'], (fields: AnswerFields) => FaultyAnswer>> = {
  truncated: fields => {
    const text = JSON.stringify(fields);
    return { text: text.slice(0, text.length / 2), ending: 'truncated' };
  },
  invalid_json: fields => complete(`Here is my answer: ${JSON.stringify(fields).slice(0, -1)}`),
  empty: () => complete(''),
  refusal: () => ({ text: '', ending: 'refused' }),
  content_filter: () => ({ text: '', ending: 'filtered' }),
  wrong_sum: fields => complete(JSON.stringify(mapDistributions(fields, halved))),
  unknown_outcome: fields => complete(JSON.stringify(mapDistributions(fields, renamed))),
};

type DistributionChange = (distribution: readonly OutcomeProbability[]) => OutcomeProbability[];

function mapDistributions(fields: AnswerFields, change: DistributionChange): AnswerFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isDistribution(value) ? change(value) : value]),
  );
}

/** Keeps each probability in range; only the sum is wrong. */
function halved(distribution: readonly OutcomeProbability[]): OutcomeProbability[] {
  return distribution.map(({ outcome, probability }) => ({ outcome, probability: probability / 2 }));
}

function renamed(distribution: readonly OutcomeProbability[]): OutcomeProbability[] {
  return distribution.map((entry, index) =>
    index === 0 ? { ...entry, outcome: 'An outcome that was never offered' } : entry,
  );
}

function isDistribution(value: unknown): value is OutcomeProbability[] {
  return Array.isArray(value) && value.every(entry => typeof entry === 'object' && 'probability' in entry);
}
