import type { MarketEvent } from '../event.js';
import type { OutcomeSet } from '../market/outcome-set.js';
import { descriptionMaxChars, nameMaxChars, oneLine, plainText, titleMaxChars } from '../text.js';
import { fence } from './prompt.js';

export interface BriefInput {
  readonly event: MarketEvent;
  readonly set: OutcomeSet;
  /** ISO 8601: the day on which the council is asked. */
  readonly asOf: string;
}

/**
 * The event as every prompt tells it: title, rules, dates, outcomes, all fenced. Never a price, a volume, an
 * address or anything that follows from prices: opinions that had seen the market would only echo it.
 */
export function eventBrief({ event, set, asOf }: BriefInput): string {
  return [
    `Today is ${day(asOf)} (UTC).`,
    fence('EVENT', facts(event).join('\n')),
    set.exclusive
      ? 'Exactly one of these outcomes will happen; their probabilities add up to 100:'
      : 'These are independent yes/no questions; the probability of each is that of YES, and nothing adds up to 100:',
    fence('OUTCOMES', outcomeLines(set).join('\n')),
  ].join('\n\n');
}

function facts({ title, category, closesAt, description }: MarketEvent): string[] {
  return [
    `Title: ${oneLine(title, titleMaxChars)}`,
    ...(category === null ? [] : [`Category: ${oneLine(category, nameMaxChars)}`]),
    ...(closesAt === null ? [] : [`Trading is meant to end on: ${day(closesAt)}`]),
    'Rules:',
    plainText(description, descriptionMaxChars),
  ];
}

/** Names stand in JSON quotes, for answers must repeat them to the letter. */
function outcomeLines({ outcomes }: OutcomeSet): string[] {
  return outcomes.map(({ name, market }) => {
    const question = market === null ? '' : oneLine(market.question, nameMaxChars);
    return question && question !== name
      ? `- ${JSON.stringify(name)}: ${question}`
      : `- ${JSON.stringify(name)}`;
  });
}

function day(timestamp: string): string {
  return timestamp.slice(0, 'YYYY-MM-DD'.length);
}
