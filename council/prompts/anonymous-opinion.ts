import type { Opinion } from '../deliberation/stages.js';
import type { MarketEvent } from '../event.js';
import { listItemShownChars, listItemsMax, oneLine, plainText, rationaleShownChars } from '../text.js';
import { fence } from './prompt.js';

/** One member's opinion as others read it: fenced, bounded, without a trace of who wrote it. */
export function opinionText(label: string, opinion: Opinion, event: MarketEvent): string {
  const lines = [
    'Probabilities:',
    ...opinion.distribution.map(
      ({ outcome, probability }) => `- ${JSON.stringify(outcome)}: ${probability} %`,
    ),
    `Confidence: ${opinion.confidence}`,
    `Reasoning: ${stripIdentity(plainText(opinion.rationale, rationaleShownChars), event)}`,
    'Evidence:',
    ...opinion.evidence
      .slice(0, listItemsMax)
      .map(item => `- ${stripIdentity(oneLine(item, listItemShownChars), event)}`),
  ];
  return fence(`ANSWER ${label}`, lines.join('\n'));
}

/**
 * Takes names of models and their makers out of an answer, so that a reader cannot tell who wrote it. A name that
 * the event itself speaks of stays, for the answer must be able to discuss it; but nobody may say "I am" one.
 */
export function stripIdentity(text: string, event: MarketEvent): string {
  const spokenOf = familiesIn(event);
  return text
    .replace(selfNaming, (_, opening: string) => `${opening} ${anonymous}`)
    .replace(identity, name => (spokenOf.has(family(name)) ? name : anonymous));
}

const anonymous = 'a council member';

/** Each with the version that may follow it: "GPT-5.1 mini", "Claude Opus 4.5", "Grok 4 Fast". */
const makers = 'x\\.?ai|anthropic|open\\s?ai|(?:google[\\s-]+)?deep\\s?mind|google\\s+ai';
const models =
  "chat\\s?gpt|gpt|grok|claude(?:[\\s-]+(?:opus|sonnet|haiku|instant))?|(?:google(?:[’']s)?\\s+)?gemini|google\\s+bard";
const version =
  '(?:[\\s-]*v?\\d+(?:\\.\\d+)*[a-z]?)?(?:[\\s-]+(?:pro|ultra|flash|nano|mini|turbo|fast|opus|sonnet|haiku)\\b)*';
const named = `(?<![\\p{L}\\p{N}_-])(?:(?:${models})${version}|${makers})(?![\\p{L}\\p{N}_])`;

const identity = new RegExp(named, 'giu');
const selfNaming = new RegExp(`\\b(I am|I['’]m|my name is|speaking as|call me|this is)\\s+${named}`, 'giu');

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

/** What a name is a name of, whatever its spelling and version: "Claude Opus 4.5" is "claude". */
function family(name: string): string | undefined {
  const squeezed = name.toLowerCase().replace(/[\s.-]/g, '');
  return families.find(each => squeezed.includes(each));
}

function familiesIn(event: MarketEvent): ReadonlySet<string | undefined> {
  const names = event.markets.flatMap(({ name, question, sides }) => [name, question, ...sides]);
  const words = [event.title, event.description, event.category ?? '', ...names].join('\n');
  return new Set([...words.matchAll(identity)].map(([name]) => family(name)));
}
