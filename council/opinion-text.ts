import type { Opinion } from './deliberation.js';
import type { MarketEvent } from './event.js';
import { fence } from './fence.js';
import { oneLine } from './one-line.js';
import { plainText } from './plain-text.js';
import { stripIdentity } from './strip-identity.js';
import { listItemShownChars, listItemsMax, rationaleShownChars } from './text-limits.js';

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
