import type { MarketEvent } from '../event.js';
import type { OutcomeSet } from '../market/outcome-set.js';
import { descriptionMaxChars, nameMaxChars, oneLine, plainText, titleMaxChars } from '../text.js';
import { fence } from './prompt.js';

export interface BriefInput {
  readonly event: MarketEvent;
  readonly set: OutcomeSet;
  /** ISO 8601: the day of the forecast. */
  readonly asOf: string;
}

/**
 * Describes the event, the same in every prompt: title, rules, dates and outcomes, all fenced. Never contains
 * a price, a volume, a URL or anything derived from prices: a member that has seen the market would only
 * repeat it.
 */
export function eventBrief({ event, set, asOf }: BriefInput): string {
  return [
    `Today is ${day(asOf)} (UTC).`,
    fence('EVENT', facts(event).join('\n')),
    set.exclusive
      ? 'Exactly one of these outcomes will happen. Their probabilities add up to 100:'
      : 'These are independent yes/no questions. Give the probability of YES for each; they need not add up to 100:',
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

/** Names are JSON strings, because answers must repeat them exactly. */
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
