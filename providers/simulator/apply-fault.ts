import type { OutcomeProbability } from '../../council/deliberation/stages.js';
import type { Answer } from './dialects/dialect.js';
import type { Fault } from './faults.js';
import type { AnswerFields } from './write-answer.js';

/** The answer as the fault leaves it: its text, and how the vendor says it ended. */
export function applyFault(fields: AnswerFields, fault: Fault | null): FaultyAnswer {
  if (fault?.kind === 'says') return complete(fault.text);
  const spoil = fault === null ? undefined : alterations[fault.kind];
  return spoil === undefined ? complete(JSON.stringify(fields)) : spoil(fields);
}

type FaultyAnswer = Pick<Answer, 'text' | 'ending'>;

function complete(text: string): FaultyAnswer {
  return { text, ending: 'complete' };
}

/** The other faults strike before there is an answer. */
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

/** Every probability stays in range: only the sum is wrong. */
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
