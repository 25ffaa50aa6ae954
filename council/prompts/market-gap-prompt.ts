import type { EvidenceItem } from '../evidence.js';
import { outcomeLabels } from '../market/outcome-set.js';
import { at } from '../numbers.js';
import type { MarketGap } from '../report.js';
import { marketGapAskedWords } from '../text.js';
import { councilPrompt, type MemberBrief } from './council-prompt.js';
import { jsonRule, type Prompt } from './prompt.js';
import { type ShownSources, sourcesFence } from './sources.js';

export interface MarketGapPromptInput extends MemberBrief, ShownSources {
  readonly gap: MarketGap;
}

/**
 * Beside stage 3: asks a member why council and market differ on an outcome. The only prompt with a price, which is why no
 * other shows its answer. It shows the two numbers and the evidence, and nothing that a member has said: the reasons of
 * the council are the chairman's to tell.
 */
export function marketGapPrompt(input: MarketGapPromptInput): Prompt {
  return councilPrompt(input, [...otherSources(input), numbers(input), task(input)]);
}

/** What the council knows beyond the pack of this member. */
function otherSources({ evidence, pack, ...brief }: MarketGapPromptInput): string[] {
  const known = new Map((pack ?? []).map(({ id, text }) => [id, text]));
  const others = (evidence ?? []).filter(({ id, text }: EvidenceItem) => known.get(id) !== text);
  if (others.length === 0) return [];
  return [
    'Other members were shown these sources, which are not verified either:',
    sourcesFence(others, brief, 'OTHER SOURCES'),
  ];
}

/** By its label, because the name of an outcome is text of others. */
function numbers({ gap, set: { outcomes } }: MarketGapPromptInput): string {
  const place = outcomes.findIndex(({ name }) => name === gap.outcome);
  const label = at(outcomeLabels(outcomes.length), place);
  return [
    'The council has forecast this event from these sources and without a price, and all of its forecasts are final.',
    `For ${label}, the council says ${gap.council} %. The market’s price implies ${gap.market} %.`,
  ].join(' ');
}

function task({ evidence }: MarketGapPromptInput): string {
  const hasSources = (evidence ?? []).length > 0;
  return [
    'Your task in this step: tell a reader what may lie behind this difference, from both sides. You set no number, and do',
    `not say who is right. Answer in at most ${marketGapAskedWords} words, both fields together:`,
    '- "market_may_know": what the market may know that the council does not: what may have happened since the sources were written, what they leave out, how traders may read the rules.',
    '- "council_may_know": the reverse: what the sources or the rules say that the price may not reflect.',
    hasSources
      ? 'For what a source says, name its host, not its id, and call nothing verified. Where the sources are silent, say so: a guess is a guess.'
      : 'You have no sources. Say what you do not know: a guess is a guess.',
    'Give no probability of your own. Use plain language. Give no advice to buy or sell anything.',
    jsonRule,
  ].join('\n');
}
