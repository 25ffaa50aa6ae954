import { type BriefInput, eventBrief } from './event-brief.js';
import { fenceRule, type Prompt, promptOf } from './prompt.js';

/**
 * Before stage 1: asks a member to look up facts. A call of its own, without a schema: the answer is free text with the
 * vendor's citations, and reaches an opinion only through `assembleEvidence`, which reads the label of the last lines.
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
  'Find out, in this order, as far as it is known:',
  '1. what has happened in the last seven days, and where things stand under the rules above;',
  '2. if a number decides the question: its latest value with date and source, its highest and lowest in the last twelve',
  '   months, and how much it usually changed in as much time as is left, by its own past;',
  '3. what is scheduled until the event ends, and what could still change the result;',
  '4. how often comparable events ended this way: counted, k of n, and over which period;',
  '5. the strongest facts for, and the strongest facts against.',
  'Write 6 to 14 short statements. Each is one sentence with one fact, its date if it has one, and a citation of the page',
  'that states it. Leave out what no page states.',
  'Then write up to 3 lines on what you searched for in vain although it would decide or move the question: each a line of',
  'its own that begins with "Not found:", in at most 25 words, without a number and without a citation.',
].join('\n');
