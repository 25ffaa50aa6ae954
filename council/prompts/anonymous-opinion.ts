import type { Opinion } from '../deliberation/stages.js';
import type { MarketEvent } from '../event.js';
import { listItemShownChars, listItemsMax, oneLine, plainText, rationaleShownChars } from '../text.js';
import type { BriefInput } from './event-brief.js';
import { fence } from './prompt.js';

/** Names the fence of another member's opinion. @param label its letter */
export const answerFence = (label: string): string => `ANSWER ${label}`;

/** Names the fence of the reader's own opinion. */
export const ownAnswerFence = 'YOUR FIRST ANSWER';

/**
 * One member's opinion as a reader sees it: fenced, limited in length, and anonymous.
 * @param fenceName {@link answerFence} or {@link ownAnswerFence}
 * @param statesSources whether each fact says what it is cited to; false where nobody searched
 */
export function opinionText(
  fenceName: string,
  opinion: Opinion,
  { event, seed }: Pick<BriefInput, 'event' | 'seed'>,
  statesSources: boolean,
): string {
  const lines = [
    'Probabilities:',
    ...opinion.distribution.map(
      ({ outcome, probability }) => `- ${JSON.stringify(outcome)}: ${probability} %`,
    ),
    `Confidence: ${opinion.confidence}`,
    `Reasoning: ${stripIdentity(plainText(opinion.rationale, rationaleShownChars), event)}`,
    'Evidence:',
    ...opinion.evidence.slice(0, listItemsMax).map(({ fact, sources }) => {
      const line = `- ${stripIdentity(oneLine(fact, listItemShownChars), event)}`;
      return statesSources ? `${line} (${sources.join(', ') || 'own knowledge'})` : line;
    }),
  ];
  return fence(seed, fenceName, lines.join('\n'));
}

/**
 * Removes the names of models and their vendors from an answer, so that a reader cannot tell its author. A
 * name that the event mentions stays, because the answer must be able to discuss it, except after "I am" and
 * the like.
 */
export function stripIdentity(text: string, event: MarketEvent): string {
  const mentioned = familiesIn(event);
  return text
    .replace(selfNaming, (_, opening: string) => `${opening} ${anonymous}`)
    .replace(identity, name => (mentioned.has(family(name)) ? name : anonymous));
}

const anonymous = 'a council member';

/** Names match together with a version that follows: "GPT-5.1 mini", "Claude Opus 4.5", "Grok 4 Fast". */
const vendorNames = 'x\\.?ai|anthropic|open\\s?ai|(?:google[\\s-]+)?deep\\s?mind|google\\s+ai';
const modelNames =
  "chat\\s?gpt|gpt|grok|claude(?:[\\s-]+(?:opus|sonnet|haiku|instant))?|(?:google(?:[’']s)?\\s+)?gemini|google\\s+bard";
const version =
  '(?:[\\s-]*v?\\d+(?:\\.\\d+)*[a-z]?)?(?:[\\s-]+(?:pro|ultra|flash|nano|mini|turbo|fast|opus|sonnet|haiku)\\b)*';
const anyName = `(?<![\\p{L}\\p{N}_-])(?:(?:${modelNames})${version}|${vendorNames})(?![\\p{L}\\p{N}_])`;

const identity = new RegExp(anyName, 'giu');
const selfNaming = new RegExp(`\\b(I am|I['’]m|my name is|speaking as|call me|this is)\\s+${anyName}`, 'giu');

const families = [
  'chatgpt',
  'gpt',
  'grok',
  'claude',
  'gemini',
  'bard',
  'deepmind',
  'googleai',
  'openai',
  'anthropic',
  'xai',
];

/** The family of a name in any spelling and version: "Claude Opus 4.5" is "claude". */
function family(name: string): string | undefined {
  const squeezed = name.toLowerCase().replace(/[\s.-]/g, '');
  return families.find(each => squeezed.includes(each));
}

function familiesIn(event: MarketEvent): ReadonlySet<string | undefined> {
  const names = event.markets.flatMap(({ name, question, sides }) => [name, question, ...sides]);
  const text = [event.title, event.description, event.category ?? '', ...names].join('\n');
  return new Set([...text.matchAll(identity)].map(([name]) => family(name)));
}
