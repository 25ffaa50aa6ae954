import type { EvidenceItem } from '../evidence.js';
import { type CouncilModel, councilModels } from '../models.js';
import { type BriefInput, eventBrief } from './event-brief.js';
import { fenceRule, jsonRule, numberRule, type Prompt, promptOf } from './prompt.js';
import { notFoundText, sourcesFence } from './sources.js';

export interface OpinionPromptInput extends BriefInput {
  /** The member's pack; null if nobody searches. */
  readonly pack: readonly EvidenceItem[] | null;
}

/** Stage 1: asks a member for its forecast before it has seen a price or another answer. */
export function opinionPrompt(input: OpinionPromptInput): Prompt {
  const { pack, set } = input;
  return promptOf(system, eventBrief(input), [
    ...sources(input),
    task(set.exclusive, (pack ?? []).length > 0),
  ]);
}

/**
 * The prompts that members received, of which the record keeps the hash: all that differ, in the council's order. Where
 * nobody searched, all members received the same one.
 */
export function opinionPromptsText(
  members: readonly CouncilModel[],
  brief: BriefInput,
  packFor: (member: CouncilModel) => OpinionPromptInput['pack'],
): string {
  const prompts = councilModels
    .filter(model => members.includes(model))
    .map(model => opinionPrompt({ ...brief, pack: packFor(model) }));
  return [...new Set(prompts.map(({ system, user }) => `${system}\n\n${user}`))].join('\n\n');
}

function sources({ pack, ...brief }: OpinionPromptInput): string[] {
  if (pack === null) return [];
  if (pack.length === 0) return ['A web search found nothing that could be used.', ...notFoundText(brief)];
  return [
    'A web search found these sources. They are cited, not verified: they may be wrong, outdated or one-sided.',
    sourcesFence(pack, brief),
    ...notFoundText(brief),
  ];
}

const system = [
  'You are a careful forecaster. Give your own probabilities of a future event.',
  'Follow the rules by which the event resolves, not the wording of its title: give no number before you have restated',
  'them. Most things stay as they are in the time that is left, so weigh the status quo, and start from the base rates',
  'of comparable events before you adjust for the specifics of this one. You are scored by how close your probabilities',
  'are to the outcome, so neither hedge towards the middle nor claim certainty. You do not see a market price. Do not',
  'guess one.',
  fenceRule,
].join(' ');

function task(exclusive: boolean, hasSources: boolean): string {
  return [
    'Think in this order:',
    '1. The rule: what exactly has to happen, by when, and who decides it.',
    '2. The time left until then.',
    '3. The status quo: the outcome if nothing changes in that time.',
    '4. The base rate: how often comparable events ended this way in as much time.',
    `5. The strongest case for ${exclusive ? 'the likeliest outcome' : 'YES'}, and the strongest case against it.`,
    '6. Only then your probabilities, and what would change them most.',
    'Answer with:',
    '- "rule": the rule in your own words. "resolution_risk": percent, the chance that the event resolves otherwise than the facts suggest.',
    '- "base_rates": up to 2 reference classes: "reference_class", "k" of "n", "period" and "sources". "outside_view": the "probability" of one "outcome" by them alone.',
    '- "evidence": up to 8 short facts that support your probabilities, each as "fact" and "sources". Do not invent any.',
    hasSources
      ? '  "sources" are the ids of the sources above that state the fact (S1, …); an empty list for what you know yourself.'
      : '  "sources" is an empty list: these facts are what you know yourself.',
    '- "rationale": the six steps in at most 300 words, beginning with the rule in your own words.',
    `- "distribution": one entry for every outcome above, named by its label (O1, O2, …). ${numberRule(exclusive)}`,
    '- "range": "low" and "high", the 10th and 90th percentile of what your probability would be after a further day of research.',
    '- "confidence": 100 minus the width of that range.',
    '- "would_change": up to 3 checkable events: "if", "by" (a date, YYYY-MM-DD, not in the past) and "to", your probability then.',
    jsonRule,
  ].join('\n');
}
