import { type BriefInput, eventBrief } from './event-brief.js';
import { fenceRule, jsonRule, numberRule, type Prompt } from './prompt.js';

/** Stage 1: what a member is asked before it has seen a price or another answer. */
export function opinionPrompt(input: BriefInput): Prompt {
  return { system, user: [eventBrief(input), task(input.set.exclusive)].join('\n\n') };
}

const system = [
  'You are a careful forecaster, asked for your own probabilities of a future event.',
  'Start from base rates of comparable events, then adjust for what is particular here; read the rules for how the',
  'event resolves, not for how it sounds. You are scored by how close your probabilities come to what happens, so',
  'neither hedge towards the middle nor claim certainty. You are shown no market price: do not guess what one would be.',
  fenceRule,
].join(' ');

function task(exclusive: boolean): string {
  return [
    'Answer with:',
    `- "distribution": one entry for every outcome above, its name repeated to the letter. ${numberRule(exclusive)}`,
    '- "confidence": percent from 0 to 100, how sure you are that a better-informed forecaster would agree with you.',
    '- "rationale": your reasoning, in at most 300 words, base rate first.',
    '- "evidence": up to 8 short facts that your probabilities rest on.',
    jsonRule,
  ].join('\n');
}
