import type { Market, MarketEvent } from '../event.js';
import type { NotFound } from '../evidence.js';
import { type OutcomeSet, outcomeLabels } from '../market/outcome-set.js';
import { at } from '../numbers.js';
import {
  descriptionMaxChars,
  marketRulesMaxChars,
  marketRulesTotalMaxChars,
  nameMaxChars,
  namesListMaxChars,
  oneLine,
  plainText,
  titleMaxChars,
  withHostsOnly,
} from '../text.js';
import { fence } from './prompt.js';
import { minuteOf, timeLeft, timeOpen } from './time-left.js';

export interface BriefInput {
  readonly event: MarketEvent;
  readonly set: OutcomeSet;
  /** ISO 8601: the time of the forecast. */
  readonly asOf: string;
  /** The report's stored seed, which no caller learns: marks and orders depend on it. */
  readonly seed: string;
  /** What the members' searches did not find; unset where nobody has searched. */
  readonly notFound?: readonly NotFound[] | undefined;
}

/**
 * Describes the event, the same in every prompt: title, rules, dates and outcomes, all fenced, and to the minute the time
 * left and the time open without a decision, which give a rate together. Never contains a price, a volume, a URL or
 * anything derived from prices: a member that has seen the market would only repeat it.
 *
 * An outcome has its market's own rules, end and source where those of the event do not say them. Rules are cut to 2,000
 * characters each, or to an equal share of 16,000 if they are many.
 */
export function eventBrief({ event, set, asOf, seed }: BriefInput): string {
  const decided = decidedLines(event);
  return [
    `It is ${minuteOf(asOf)}.${timeLine(event, asOf)}${openLine({ event, set, asOf })}`,
    fence(seed, 'EVENT', facts(event).join('\n')),
    set.exclusive
      ? 'Exactly one of these outcomes will happen. Their probabilities add up to 100:'
      : 'These are independent yes/no questions. Give the probability of YES for each; they need not add up to 100:',
    fence(seed, 'OUTCOMES', outcomeLines({ event, set, asOf }).join('\n')),
    ...ladderLines(set),
    ...(decided.length === 0
      ? []
      : [
          'Already decided, and no outcomes any more:',
          fence(seed, 'DECIDED', decided.join('\n'), namesListMaxChars),
        ]),
  ].join('\n\n');
}

function timeLine({ closesAt }: MarketEvent, asOf: string): string {
  if (closesAt === null) return '';
  return ` Trading is meant to end at ${minuteOf(closesAt)}: ${timeLeft(asOf, closesAt)}.`;
}

/** The questions of the set are those of an open event that are not decided. */
function openLine({ event, set, asOf }: Omit<BriefInput, 'seed'>): string {
  if (event.status === 'closed') return '';
  const [only, ...others] = set.markets;
  const own = event.exclusive || others.length > 0 ? undefined : only?.market.openedAt;
  const open = timeOpen(asOf, own ?? event.openedAt);
  if (open === null) return '';
  if (set.exclusive) return ` The question has been open for ${open} without being decided.`;
  const differ = set.markets.some(({ market }) => isAddedLater(market, event));
  return ` The questions have been open for ${differ ? 'up to ' : ''}${open} without being decided.`;
}

/** The markets of an event open minutes apart, unless one is added on another day. */
function isAddedLater(market: Market, event: MarketEvent): boolean {
  const day = ({ openedAt }: Market | MarketEvent) => openedAt?.slice(0, 'YYYY-MM-DD'.length);
  return market.openedAt !== undefined && day(market) !== day(event);
}

function facts(event: MarketEvent): string[] {
  const { title, category, closesAt, description } = event;
  const source = sourceOf(event);
  return [
    `Title: ${oneLine(title, titleMaxChars)}`,
    ...(category === null ? [] : [`Category: ${oneLine(category, nameMaxChars)}`]),
    ...(closesAt === null ? [] : [`Trading is meant to end on: ${closesAt.slice(0, 'YYYY-MM-DD'.length)}`]),
    ...(source === null ? [] : [`Source of the result: ${source}`]),
    'Rules:',
    plainText(withHostsOnly(description), descriptionMaxChars),
  ];
}

/** A name or host. The venues' own pages show prices. */
function sourceOf({ resolutionSource }: Pick<Market, 'resolutionSource'>): string | null {
  const source = oneLine(withHostsOnly(resolutionSource ?? ''), nameMaxChars);
  return source === '' || /(?:^|\.)(?:polymarket|kalshi)\.com$/i.test(source) ? null : source;
}

/** Names are JSON strings, so that no name can imitate a label. */
function outcomeLines({ event, set, asOf }: Omit<BriefInput, 'seed'>): string[] {
  const labels = outcomeLabels(set.outcomes.length);
  const rulesMaxChars = Math.min(
    marketRulesMaxChars,
    Math.floor(marketRulesTotalMaxChars / Math.max(1, set.markets.length)),
  );
  const shownRules = new Map<string, string>();
  return set.outcomes.flatMap(({ name, market, side }, index) => {
    const label = at(labels, index);
    const line = `- ${label} = ${JSON.stringify(name)}`;
    if (market === null) return [`${line}: ${anyOtherText(set)}`];
    const question = oneLine(market.question, nameMaxChars);
    const details = side === 'yes' ? detailsOf(market, { event, set, asOf }) : [];
    const rules = side === 'yes' ? ownRules(market, event) : null;
    const shown = rules === null ? undefined : shownRules.get(rules);
    if (rules !== null && shown === undefined) shownRules.set(rules, label);
    return [
      question && question !== name ? `${line}: ${question}` : line,
      ...details,
      ...(rules === null ? [] : [`  Rules: ${shown ? `those of ${shown}` : oneLine(rules, rulesMaxChars)}`]),
    ];
  });
}

function ownRules({ rules }: Market, { description }: MarketEvent): string | null {
  return rules === null || description.includes(rules) ? null : withHostsOnly(rules);
}

function detailsOf(market: Market, { event, set, asOf }: Omit<BriefInput, 'seed'>): string[] {
  const { closesAt } = market;
  const isOwnQuestion = !set.exclusive && isAddedLater(market, event);
  const open = isOwnQuestion ? timeOpen(asOf, market.openedAt) : null;
  const source = sourceOf(market);
  return [
    ...(closesAt === null || closesAt === event.closesAt
      ? []
      : [`  Trading is meant to end at ${minuteOf(closesAt)}: ${timeLeft(asOf, closesAt)}`]),
    ...(open === null ? [] : [`  Open for ${open} without being decided`]),
    ...(source === null || source === sourceOf(event) ? [] : [`  Source of the result: ${source}`]),
  ];
}

function anyOtherText({ leftOut }: OutcomeSet): string {
  const names = leftOut
    .filter(({ placeholder, other }) => !placeholder && !other)
    .map(({ name }) => JSON.stringify(oneLine(name, nameMaxChars)));
  const text = 'whatever is not listed here, also an outcome that is added later';
  return names.length === 0 ? text : oneLine(`${text}. Among others: ${names.join(', ')}`, namesListMaxChars);
}

function ladderLines({ outcomes, ladders }: OutcomeSet): string[] {
  const labels = outcomeLabels(outcomes.length);
  return ladders.map(
    ladder =>
      'Each of these questions implies those before it, so the probabilities never increase from left to right: ' +
      `${ladder.map(index => at(labels, index)).join(', ')}.`,
  );
}

/** Markets that have resolved: on an exclusive event, candidates that are out. */
function decidedLines({ markets }: MarketEvent): string[] {
  return markets
    .filter(({ placeholder, resolution }) => !placeholder && (resolution === 'no' || resolution === 'yes'))
    .map(
      ({ name, resolution }) =>
        `- ${JSON.stringify(oneLine(name, nameMaxChars))}: ${resolution.toUpperCase()}`,
    )
    .sort();
}
