import type { OutcomeProbability } from '../../council/deliberation/stages.js';
import type { Answer } from './dialects/dialect.js';
import type { Fault } from './faults.js';
import type { AnswerFields } from './write-answer.js';

/** The answer as the fault leaves it: its text, and how the vendor says it ended. */
export function spoilAnswer(fields: AnswerFields, fault: Fault | null): SpoiltAnswer {
  if (fault?.kind === 'says') return complete(fault.text);
  const spoil = fault === null ? undefined : spoilers[fault.kind];
  return spoil === undefined ? complete(JSON.stringify(fields)) : spoil(fields);
}

type SpoiltAnswer = Pick<Answer, 'text' | 'ending'>;

function complete(text: string): SpoiltAnswer {
  return { text, ending: 'complete' };
}

/** The other faults strike before there is an answer. */
const spoilers: Partial<Record<Fault['kind'], (fields: AnswerFields) => SpoiltAnswer>> = {
  truncated: fields => {
    const text = JSON.stringify(fields);
    return { text: text.slice(0, text.length / 2), ending: 'truncated' };
  },
  invalid_json: fields => complete(`Here is my answer: ${JSON.stringify(fields).slice(0, -1)}`),
  empty: () => complete(''),
  refusal: () => ({ text: '', ending: 'refused' }),
  content_filter: () => ({ text: '', ending: 'filtered' }),
  wrong_sum: fields => complete(JSON.stringify(respread(fields, halved))),
  unknown_outcome: fields => complete(JSON.stringify(respread(fields, renamed))),
};

type Respread = (distribution: readonly OutcomeProbability[]) => OutcomeProbability[];

function respread(fields: AnswerFields, change: Respread): AnswerFields {
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
