import type { EvidenceItem } from '../evidence.js';
import { type BriefInput, eventBrief } from './event-brief.js';
import { fenceRule, type Prompt, promptOf } from './prompt.js';
import { notFoundText, sourcesFence } from './sources.js';

/** What every question to one member of a report begins with. */
export interface MemberBrief extends BriefInput {
  /** The member's pack; null if nobody searches. */
  readonly pack: readonly EvidenceItem[] | null;
}

/**
 * A question to a member, at any stage after the search: the event and the member's pack, then what the stage shows, and
 * its task last. System message and beginning are the same bytes at every stage, so that a vendor can serve them from its
 * cache, and a member sees at every stage what its forecast came from.
 *
 * @param stage what the stage shows, and its task
 */
export function councilPrompt(member: MemberBrief, stage: readonly string[]): Prompt {
  return promptOf(system, [eventBrief(member), ...packText(member)].join('\n\n'), stage);
}

/** Names no role and no price: the task at the end does. */
const system = [
  'You are a member of a council of careful forecasters, which estimates the probabilities of a future event step by',
  'step. Each message describes the event, shows what has been found, and ends with your task in one step. Do that task',
  'and no other. Follow the rules by which the event resolves, not the wording of its title. Keep what can be',
  'checked apart from what you believe, and say where you do not know.',
  fenceRule,
].join(' ');

function packText({ pack, ...brief }: MemberBrief): string[] {
  if (pack === null) return [];
  if (pack.length === 0) return ['A web search found nothing that could be used.', ...notFoundText(brief)];
  return [
    'A web search found these sources. They are cited, not verified: they may be wrong, outdated or one-sided.',
    sourcesFence(pack, brief),
    ...notFoundText(brief),
  ];
}
