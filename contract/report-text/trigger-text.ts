import { councilModels } from '../../council/models.js';
import type { OpinionView, SynthesisView } from '../deliberation.js';
import type { RuntimeView } from '../runtime.js';
import { type NameOf, shortName } from './evidence-text.js';

/**
 * What a report says about what would change it, shared by the page and the report in Markdown. The condition itself (`if`)
 * and the name of the outcome are untrusted text.
 */

export const triggersTitle = 'What would change this';

/** Whose the conditions are, and whose the numbers. */
export const triggersText =
  'The chairman merged what the members named; each number is a member’s own, its probability if that happens by then.';

type Trigger = SynthesisView['triggers'][number];

/** After the name of the outcome: "is at 40.6 % by the estimate and at 39.8 % by the council". */
export function subjectText(
  { estimate, market_probabilities: council }: Pick<RuntimeView, 'estimate' | 'market_probabilities'>,
  subject: string,
): string {
  const numbers = [
    [estimate?.probabilities[subject] ?? null, 'estimate'],
    [council[subject] ?? null, 'council'],
  ] as const;
  const parts = numbers.flatMap(([percent, name]) =>
    percent === null ? [] : [`at ${percent} % by the ${name}`],
  );
  return `is ${parts.join(' and ')}`;
}

/** Before the condition: "More likely if by 2026-12-02". */
export function triggerLead({ direction, by }: Pick<Trigger, 'direction' | 'by'>): string {
  return `${direction === 'up' ? 'More' : 'Less'} likely if by ${by}`;
}

/** After the condition: "claude 60 %, gpt 65.1 %; grok without a number". */
export function triggerNumbers(
  { members, to }: Pick<Trigger, 'members' | 'to'>,
  nameOf: NameOf = shortName,
): string {
  const named = councilModels.filter(model => members.includes(model));
  const numbers = named.flatMap(model =>
    to[model] === undefined ? [] : [`${nameOf(model)} ${to[model]} %`],
  );
  const others = named.filter(model => to[model] === undefined).map(model => nameOf(model));
  return [numbers, others.length === 0 ? [] : [`${others.join(', ')} without a number`]]
    .map(parts => parts.join(', '))
    .filter(text => text !== '')
    .join('; ');
}

/** Before the condition, of a member's own forecast: "60 % if by 2026-12-02". */
export function changeLead({ by, to }: OpinionView['would_change'][number]): string {
  return `${to} % if by ${by}`;
}
