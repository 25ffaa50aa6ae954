import { type BriefInput, eventBrief } from './event-brief.js';
import { fenceRule, jsonRule, numberRule, type Prompt } from './prompt.js';

/** Stage 1: asks a member for its forecast before it has seen a price or another answer. */
export function opinionPrompt(input: BriefInput): Prompt {
  return { system, user: [eventBrief(input), task(input.set.exclusive)].join('\n\n') };
}

const system = [
  'You are a careful forecaster. Give your own probabilities of a future event.',
  'Start from the base rates of comparable events, then adjust for the specifics of this one. Follow the rules by which',
  'the event resolves, not the wording of its title. You are scored by how close your probabilities are to the outcome,',
  'so neither hedge towards the middle nor claim certainty. You do not see a market price. Do not guess one.',
  fenceRule,
].join(' ');

function task(exclusive: boolean): string {
  return [
    'Answer with:',
    `- "distribution": one entry for every outcome above, named by its label (O1, O2, …). ${numberRule(exclusive)}`,
    '- "confidence": percent from 0 to 100: how sure you are that a better-informed forecaster would agree with you.',
    '- "rationale": your reasoning in at most 300 words, base rate first.',
    '- "evidence": up to 8 short facts that support your probabilities.',
    jsonRule,
  ].join('\n');
}
