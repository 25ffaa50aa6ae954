import type { Opinion } from '../deliberation/stages.js';
import type { MarketEvent } from '../event.js';
import { listItemShownChars, listItemsMax, oneLine, plainText, rationaleShownChars } from '../text.js';
import type { BriefInput } from './event-brief.js';
import { fence } from './prompt.js';

/**
 * One member's opinion as a reader sees it: fenced, limited in length, and anonymous.
 * @param label its letter; null for the reader's own
 * @param statesSources whether each fact says what it is cited to; false where nobody searched
 */
export function opinionText(
  label: string | null,
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
    ...groundsLines(opinion.grounds, { label: label ?? '', event, statesSources }),
    `Reasoning: ${stripIdentity(plainText(opinion.rationale, rationaleShownChars), event)}`,
    'Evidence:',
    ...opinion.evidence
      .slice(0, listItemsMax)
      .map(
        ({ fact, sources }) =>
          `- ${stripIdentity(oneLine(fact, listItemShownChars), event)}${citedTo(sources, statesSources)}`,
      ),
  ];
  return fence(seed, label === null ? 'YOUR FIRST ANSWER' : `ANSWER ${label}`, lines.join('\n'));
}

function citedTo(sources: readonly string[], statesSources: boolean): string {
  return statesSources ? ` (${sources.join(', ') || 'own knowledge'})` : '';
}

interface ShownGrounds {
  readonly label: string;
  readonly event: MarketEvent;
  readonly statesSources: boolean;
}

/** Each possible change has an id by which the chairman can name it: `A1` is the first of answer A. */
function groundsLines(grounds: Opinion['grounds'], { label, event, statesSources }: ShownGrounds): string[] {
  if (grounds === undefined) return [];
  const { rule, resolutionRisk, baseRates, outsideView, subject, range, wouldChange } = grounds;
  const shown = (text: string) => stripIdentity(oneLine(text, listItemShownChars), event);
  return [
    ...(rule === null ? [] : [`Rule: ${shown(rule)}`]),
    ...(resolutionRisk === null ? [] : [`Chance that it resolves otherwise: ${resolutionRisk} %`]),
    ...baseRates.map(
      ({ referenceClass, k, n, period, sources }) =>
        `Base rate: ${k} of ${n}, ${shown(period)}: ${shown(referenceClass)}${citedTo(sources, statesSources)}`,
    ),
    ...(outsideView === null
      ? []
      : [`Outside view: ${JSON.stringify(outsideView.outcome)} ${outsideView.probability} %`]),
    ...(range === null ? [] : [`Range: ${JSON.stringify(subject)} ${range.low} to ${range.high} %`]),
    ...wouldChange.map(
      (change, index) =>
        `- ${label}${index + 1}, by ${change.by}, ${JSON.stringify(subject)} ${change.to} %: ${shown(change.if)}`,
    ),
  ];
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
