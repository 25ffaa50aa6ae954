import { type OutcomeSet, outcomeLabels } from '../market/outcome-set.js';
import { otherOutcome } from '../method.js';
import { type CouncilModel, councilModels } from '../models.js';
import { at } from '../numbers.js';
import { councilPrompt, type MemberBrief } from './council-prompt.js';
import type { BriefInput } from './event-brief.js';
import { jsonRule, noPriceRule, numberRule, type Prompt, subjectInWords } from './prompt.js';

/** Stage 1: asks a member for its forecast before it has seen a price or another answer. */
export function opinionPrompt(input: MemberBrief): Prompt {
  const hasSources = (input.pack ?? []).length > 0;
  return councilPrompt(input, [
    opening,
    ['Think in this order:', ...steps(input.set, hasSources)].join('\n'),
    ['Answer with:', ...fields(input.set, hasSources), jsonRule].join('\n'),
  ]);
}

/**
 * The prompts that members received, of which the record keeps the hash: all that differ, in the council's order. Where
 * nobody searched, all members received the same one.
 */
export function opinionPromptsText(
  members: readonly CouncilModel[],
  brief: BriefInput,
  packFor: (member: CouncilModel) => MemberBrief['pack'],
): string {
  const prompts = councilModels
    .filter(model => members.includes(model))
    .map(model => opinionPrompt({ ...brief, pack: packFor(model) }));
  return [...new Set(prompts.map(({ system, user }) => `${system}\n\n${user}`))].join('\n\n');
}

const opening = [
  'Your task in this step: give your own probabilities, before you see those of the others.',
  noPriceRule,
  'You are scored by how close your probabilities are to what happens, so neither hedge towards the middle nor claim',
  'certainty. Give no number before you have restated the rule.',
].join(' ');

/** From the general to the special: a member that begins with the news does not return to the base rate. */
function steps(set: OutcomeSet, hasSources: boolean): string[] {
  const counting = hasSources
    ? 'Take counts from the sources where they have them; otherwise count cases that you know, and invent none.'
    : 'Count cases that you know, and invent none.';
  const favoured = set.exclusive ? 'the likeliest outcome' : 'YES';
  const each = [
    'The rule, in your own words: what exactly has to happen, by when, and who decides it. Then the chance that the event resolves otherwise than the facts suggest: by the wording, by what the source of the result reports, or by a dispute.',
    `The outside view: how often comparable events ended this way. Name up to two classes of such events, the one that fits better first, each with its count, k of n, and the period in which it was counted. ${counting} Start from (k + 1) / (n + 2) of the better class, and scale it to the time left: the less time, the rarer the change. If you can count no class, give none, and take as the outside view what you would say without the details of this event.`,
    'The time left until it is decided and, where it is stated, the time for which the question has been open without being decided. If the event can come on any day, N days without it are a class as well, 0 of N days: a rate of about 1 / (N + 2) a day, so 1 − (1 − 1 / (N + 2))^D for the D days that are left. If it waits for a date, the time open says little.',
    news(hasSources),
    `The status quo: the outcome if nothing changes in the time left; most things stay as they are. Then the strongest case for ${favoured}, and the strongest case against it. Move away from the outside view only as far as these carry.`,
    `Only then your probabilities.${orderOf(set)}${ladderText(set)}`,
    `The range, for ${subjectInWords(set)}: the 10th and 90th percentile of what your probability of it would be after a further day of research. It contains the probability that you give now. It is narrow only if a day of research would find nothing new, and wide if what you know is old, thin or disputed.`,
    'What would change that probability most: events that anybody can check, never a price or what others expect.',
  ];
  return each.map((text, index) => `${index + 1}. ${text}`);
}

function news(hasSources: boolean): string {
  return hasSources
    ? 'What is new. Your training ended before today. Whatever may have changed since, you know only from the sources; if they are silent, say so and widen.'
    : 'What is new. Your training ended before today, and you have no sources. Whatever may have changed since, you do not know: say so and widen.';
}

/** Long shots one by one take more than they have together, and what is not listed comes last or never. */
function orderOf({ exclusive, outcomes, hasAnyOther }: OutcomeSet): string {
  if (!exclusive || outcomes.length <= 2) return '';
  const anyOther = hasAnyOther ? `first "${otherOutcome}" (${lastLabel(outcomes)}); then ` : 'first ';
  return (
    ` In this order: ${anyOther}the leaders; then the rest as a group, before you divide it. Long shots add up: thirty` +
    ' long shots at 1 % are 30 %, so decimals are allowed.'
  );
}

function lastLabel(outcomes: OutcomeSet['outcomes']): string {
  return at(outcomeLabels(outcomes.length), outcomes.length - 1);
}

function ladderText({ ladders }: OutcomeSet): string {
  if (ladders.length === 0) return '';
  return (
    ' For questions that imply one another: first the median of the quantity or date that they ask about, and the range' +
    ' that holds it with 80 %; then read every one of them off that one distribution.'
  );
}

function fields(set: OutcomeSet, hasSources: boolean): string[] {
  const found =
    set.ladders.length === 0 ? '' : ' the median and the 80 % range behind questions that imply one another;';
  return [
    '- "rule": the rule in your own words. "resolution_risk": the chance of step 1, as a percent.',
    '- "base_rates": up to 2 classes, the better one first: "reference_class", "k" (at most n), "n" (at least 1), "period" and "sources".',
    '- "outside_view": the "probability" of one "outcome", named by its label, by the base rates alone: scaled to the time left, not yet adjusted.',
    '- "evidence": up to 8 short facts that support your probabilities, each as "fact" and "sources". Do not invent any.',
    hasSources
      ? '  "sources" are the ids of the sources above that state the count or the fact (S1, …); an empty list for what you know yourself.'
      : '  "sources" is an empty list: counts and facts are what you know yourself.',
    `- "rationale": at most 300 words: which class fits better and why;${found} what moved you away from the outside view, and how far; the strongest case against you.`,
    `- "distribution": one entry for every outcome above, named by its label (O1, O2, …). ${numberRule(set.exclusive)}`,
    `- "range": "low" and "high", percents, for ${subjectInWords(set)}. "confidence": 100 minus the width of that range, so high − low = 15 is 85.`,
    '- "would_change": up to 3 events: "if", "by" (the last date for it, YYYY-MM-DD, today or later) and "to": your probability of that same outcome if it happens by then.',
  ];
}
