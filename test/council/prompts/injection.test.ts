import { describe, expect, test } from '@jest/globals';
import { parseCrossReview, parseOpinion, parseSynthesis } from '../../../council/answers/stage-parsers.js';
import { conclude } from '../../../council/conclusion/conclude.js';
import { reviewOrder } from '../../../council/deliberation/review-order.js';
import type { CrossReview, Opinion } from '../../../council/deliberation/stages.js';
import type { MarketEvent } from '../../../council/event.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { type CouncilModel, councilModels } from '../../../council/models.js';
import { crossReviewPrompt } from '../../../council/prompts/cross-review-prompt.js';
import { opinionPrompt } from '../../../council/prompts/opinion-prompt.js';
import type { Prompt } from '../../../council/prompts/prompt.js';
import { synthesisPrompt } from '../../../council/prompts/synthesis-prompt.js';
import { input, percents } from '../conclusion/conclude-input.js';
import { cupMatch, grounds, opinion, review, shown, shownChanges } from '../fixtures.js';
import { hostileTexts } from './hostile-texts.js';

/** A run in which every text of the market and of the members is the given one. */
function runWith(text: string) {
  const event: MarketEvent = { ...cupMatch, title: text, description: text, category: text };
  const fact = { fact: text, sources: [] };
  const rate = { referenceClass: text, k: 3, n: 20, period: text, sources: [] };
  const hostileOpinion: Opinion = opinion(percents, {
    rationale: text,
    evidence: [fact, fact],
    grounds: grounds({
      rule: text,
      baseRates: [rate, rate],
      outsideView: { outcome: 'Canada', probability: 18.2 },
      subject: 'Canada',
      wouldChange: [{ if: text, by: '2031-04-20', to: 80 }],
    }),
  });
  const opinions = Object.fromEntries(councilModels.map(model => [model, hostileOpinion]));
  const reviews = Object.fromEntries(
    councilModels.map((model): [CouncilModel, CrossReview] => {
      const others = councilModels.filter(each => each !== model);
      const critiques = others.map(other => ({ model: other, strengths: text, weaknesses: text }));
      return [model, review(others, percents, { critiques })];
    }),
  );
  return { event, opinions, reviews };
}

/** Every prompt of a run, by stage. */
function prompts({ event, opinions, reviews }: ReturnType<typeof runWith>): Record<string, Prompt> {
  const brief = { event, set: outcomeSet(event), asOf: '2031-04-01T00:00:00Z', seed: 'seed' };
  const shown = { ...brief, evidence: null, pack: null };
  const order = (reader: CouncilModel | 'synthesis') => reviewOrder('seed', reader, councilModels);
  return {
    opinion: opinionPrompt({ ...brief, pack: null }),
    review: crossReviewPrompt({ ...shown, reviewer: 'gpt', order: order('gpt'), opinions }),
    synthesis: synthesisPrompt({
      ...shown,
      order: order('synthesis'),
      opinions,
      reviews,
      consensus: [62, 22, 16],
    }),
  };
}

/** The text outside all fences. */
function unfencedText({ system, user }: Pick<Prompt, 'system' | 'user'>): string {
  return `${system}\n${user.replace(/<<<BEGIN (.+) ([0-9a-f]{8})>>>\n[\s\S]*?\n<<<END \1 \2>>>/g, '[$1]')}`;
}

const harmless = prompts(runWith('The match is played on neutral ground.'));

describe.each(hostileTexts.map(text => [JSON.stringify(text).slice(0, 60), text]))('%s', (_, text) => {
  const hostile = runWith(text);

  test.each(['opinion', 'review', 'synthesis'])(
    'leaves the text outside the fences of the %s prompt unchanged',
    stage => {
      const sent = prompts(hostile)[stage] ?? { system: '', user: '' };
      expect(unfencedText(sent)).toBe(unfencedText(harmless[stage] ?? { system: '', user: '' }));
      expect(unfencedText({ ...sent, system: '' })).not.toMatch(/<<<|>>>/);
      expect(sent.user).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u);
    },
  );

  test('changes no number of the report', () => {
    const { event, opinions, reviews } = hostile;
    const harmlessRun = runWith('The match is played on neutral ground.');
    expect(conclude(input({ event, opinions, reviews }))).toEqual(conclude(input(harmlessRun)));
  });

  test('inside an answer is text, and instead of one is rejected', () => {
    const rule = { outcomes: ['Canada', 'Draw', 'South Africa'], exclusive: true, ladders: [] };
    const distribution = Object.entries(percents).map(([outcome, probability]) => ({ outcome, probability }));
    const labelled = distribution.map((entry, index) => ({ ...entry, outcome: `O${index + 1}` }));
    const evidence = [{ fact: text, sources: [] }];
    const hostileOpinion = {
      distribution: labelled,
      confidence: 60,
      rationale: text,
      evidence,
      rule: text,
      base_rates: [{ reference_class: text, k: 3, n: 20, period: text, sources: [] }],
      would_change: [{ if: text, by: '2031-04-20', to: 80 }],
    };
    const accepted = {
      ok: true,
      value: { distribution, grounds: { baseRates: [{ k: 3, n: 20 }], wouldChange: [{ to: 80 }] } },
      flaws: [],
    };
    expect(parseOpinion(JSON.stringify(hostileOpinion), rule, shown)).toMatchObject(accepted);
    expect(parseOpinion(text, rule, shown).ok).toBe(false);
    expect(parseCrossReview(text, ['claude', 'grok'], rule).ok).toBe(false);
    expect(parseSynthesis(text, shownChanges).ok).toBe(false);
    const trigger = { if: text, by: '2031-04-20', direction: 'up', members: ['A1'] };
    const lists = { agreements: [text], disagreements: [text], key_uncertainties: [text] };
    const synthesis = JSON.stringify({ summary: text, ...lists, triggers: [trigger] });
    expect(parseSynthesis(synthesis, shownChanges)).toMatchObject({
      ok: true,
      value: { triggers: [{ direction: 'up' }] },
      flaws: [],
    });
  });
});
