import { type BriefInput, eventBrief } from './event-brief.js';
import { fenceRule, type Prompt, promptOf } from './prompt.js';

/**
 * Before stage 1: asks a member to look up facts. A call of its own, without a schema: the answer is free text with the
 * vendor's citations, and reaches an opinion only through `assembleEvidence`.
 */
export function researchPrompt(input: BriefInput): Prompt {
  return promptOf(system, eventBrief(input), [task]);
}

const system = [
  'You are a researcher who prepares facts for forecasters. Search the web and report what is known about the event:',
  'news, officials, primary documents, data and statistics. Do not use prediction markets, bookmakers, betting sites or',
  'pages that quote odds, and do not report what markets, traders or bettors expect: the forecasters must not see it. Give',
  'no probability and no forecast of your own.',
  fenceRule,
].join(' ');

const task = [
  'Find out, as far as it is known:',
  '1. where things stand under the rules above, and what has changed recently;',
  '2. what is scheduled until the event ends, and what could still change the result;',
  '3. how often comparable events ended this way;',
  '4. the strongest facts for, and the strongest facts against.',
  'Write 6 to 12 short statements. Each is one sentence with one fact, its date if it has one, and a citation of the page',
  'that states it. Leave out what no page states.',
].join('\n');
