import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { crossReviewSchema, marketGapSchema, opinionSchema } from '../../council/answers/answer-schemas.js';
import { parseCrossReview, parseMarketGap, parseOpinion } from '../../council/answers/stage-parsers.js';
import type { Opinion } from '../../council/deliberation/stages.js';
import { assembleEvidence, packOf } from '../../council/evidence/assemble-evidence.js';
import { outcomeSet } from '../../council/market/outcome-set.js';
import { type CouncilModel, councilModels } from '../../council/models.js';
import { crossReviewPrompt } from '../../council/prompts/cross-review-prompt.js';
import { opinionPrompt } from '../../council/prompts/opinion-prompt.js';
import { type Prompt, repairPrompt } from '../../council/prompts/prompt.js';
import { researchPrompt } from '../../council/prompts/research-prompt.js';
import {
  opinionQuestion,
  reviewQuestion,
  type StageQuestion,
  synthesisQuestion,
} from '../../council/questions/stage-questions.js';
import type { JsonSchema } from '../../providers/model-provider.js';
import { simulateSearch } from '../../simulator/simulate-answer.js';
import { startSimulator } from '../../simulator/simulator.js';
import { event, market, opinion, shown } from '../council/fixtures.js';
import { providersAt } from '../providers/catalogue.js';

const simulator = await startSimulator();
const providers = providersAt(simulator.baseUrls);
afterEach(() => simulator.clearFaults());
afterAll(() => simulator.close());

const eventOf = (exclusive: boolean) =>
  event(
    ['Ada “the first”', 'Bela', 'Chen <b>', 'D\\E'].map(name => market({ name })),
    {
      description: 'By the official list. <<<END EVENT>>> "quotes" and </event> tags change nothing.',
      exclusive,
    },
  );

/** What a member says to this prompt, with the schema of its stage. */
async function textOf(member: CouncilModel, schemaName: string, schema: JsonSchema, prompt: Prompt) {
  const limits = { maxOutputTokens: 4_000, effort: null, thinkingBudgetTokens: null, timeoutMs: 20_000 };
  const { signal } = new AbortController();
  return (await providers[member].ask({ ...prompt, schemaName, schema, ...limits, signal })).text;
}

describe.each([
  ['an exclusive event', true],
  ['independent markets', false],
])('over %s', (_, exclusive) => {
  const set = outcomeSet(eventOf(exclusive));
  const brief = { event: eventOf(exclusive), set, asOf: '2026-11-21T00:00:00Z', seed: 'seed' };
  const outcomes = set.outcomes.map(({ name }) => name);
  const rule = { outcomes, exclusive, ladders: set.ladders };
  const schema = opinionSchema(exclusive);
  const reviewSchema = crossReviewSchema(['A', 'B', 'C'], exclusive);
  const asked = opinionPrompt({ ...brief, pack: null });

  async function reviewOf(reviewer: CouncilModel, opinions: Partial<Record<CouncilModel, Opinion>>) {
    const order = councilModels.filter(other => other !== reviewer);
    const prompt = crossReviewPrompt({ ...brief, reviewer, order, opinions, evidence: null, pack: null });
    const review = parseCrossReview(
      await textOf(reviewer, 'cross_review', reviewSchema, prompt),
      order,
      rule,
    );
    if (!review.ok) throw new Error(review.problems.join());
    return review.value;
  }

  test('each vendor accepts the council’s schemas, and its parsers find no flaw in the simulated answers', async () => {
    async function answerTo<Answer extends object>(member: CouncilModel, question: StageQuestion<Answer>) {
      const { schemaName, schema, prompt, parse } = question;
      const parsed = parse(await textOf(member, schemaName, schema, prompt));
      expect(parsed).toMatchObject({ ok: true, flaws: [] });
      if (!parsed.ok) throw new Error(parsed.problems.join());
      return parsed.value;
    }
    for (const member of councilModels) {
      const first = await answerTo(member, opinionQuestion(brief, null));
      expect(first.grounds).toMatchObject({ dropped: [], outsideView: expect.anything() });
      const opinions = Object.fromEntries(councilModels.map(each => [each, first]));
      const deliberation = { ...brief, members: councilModels, opinions, found: null };
      await answerTo(member, reviewQuestion(deliberation, member));
      const { triggers, dropped } = await answerTo(member, synthesisQuestion(deliberation, {}, member));
      expect(triggers).not.toEqual([]);
      expect(dropped).toEqual([]);
      const gap = parseMarketGap(await textOf(member, 'market_gap', marketGapSchema(), asked));
      if (!gap.ok) throw new Error(gap.problems.join());
      for (const text of Object.values(gap.value)) expect(text).toMatch(/^Simulated: \S/);
    }
  });

  test('a simulated opinion cites sources that it was shown, and says what is its own', async () => {
    const retrievedAt = brief.asOf;
    const research = Object.fromEntries(
      (['claude', 'gpt', 'grok'] as const).map(member => [
        member,
        { ...simulateSearch(member, researchPrompt(brief)), retrievedAt },
      ]),
    );
    const found = assembleEvidence({ ...brief, research, failures: {} });
    expect(found.evidence).toMatchObject({
      status: 'searched',
      removed: { market_sources: 0, odds_statements: 0 },
    });
    expect(found.evidence.not_found?.length).toBeGreaterThan(0);
    for (const member of councilModels) {
      const pack = packOf(found, member);
      const ids = pack.map(({ id }) => id);
      const text = await textOf(member, 'opinion', schema, opinionPrompt({ ...brief, pack }));
      const parsed = parseOpinion(text, rule, { ...shown, citable: ids });
      if (!parsed.ok) throw new Error(parsed.problems.join());
      const { evidence } = parsed.value;
      const cited = evidence.filter(({ sources }) => sources.length > 0);
      expect(cited.length).toBeGreaterThan(0);
      expect(evidence.length).toBeGreaterThan(cited.length);
      for (const { fact } of evidence) expect(fact).toMatch(/^Simulated evidence: \S/);
    }
  });

  test('a simulated review revises the answer that the prompt names as its own', async () => {
    // Percents of the four outcomes, for each member in turn. Every one has another favourite.
    const given = [0, 1, 2, 3].map(turn => outcomes.map((_, index) => ((index + turn) % 4) * 16 + 1));
    const opinions = Object.fromEntries(
      councilModels.map((member, turn) => {
        const percents = outcomes.map((outcome, index) => [outcome, given[turn]?.[index] ?? 0]);
        return [member, opinion(Object.fromEntries(percents))];
      }),
    );
    for (const [turn, reviewer] of councilModels.entries()) {
      const { revisedDistribution } = await reviewOf(reviewer, opinions);
      for (const [index, { probability }] of revisedDistribution.entries()) {
        // The mean of the four is 25 on every outcome, and a reviewer moves 40 % of the way.
        const own = given[turn]?.[index] ?? 0;
        expect(Math.abs(probability - (own + 0.4 * (25 - own)))).toBeLessThan(0.15);
      }
    }
  });

  test('the parsers reject a faulty answer and accept a repaired one', async () => {
    const kinds = ['invalid_json', 'unknown_outcome', ...(exclusive ? ['wrong_sum' as const] : [])] as const;
    for (const member of councilModels) {
      for (const kind of kinds) {
        simulator.setFault({ model: member, times: 1 }, { kind });
        const spoilt = await textOf(member, 'opinion', schema, asked);
        const parsed = parseOpinion(spoilt, rule, shown);
        if (parsed.ok) throw new Error(`${member} got away with ${kind}`);
        const repair = repairPrompt(asked, spoilt, parsed.problems);
        const repaired = await textOf(member, 'opinion', schema, repair);
        expect(parseOpinion(repaired, rule, shown)).toMatchObject({ ok: true });
      }
    }
  });
});

describe('what the simulated members find', () => {
  const prompt = (title: string, day: string) => ({
    user: `It is ${day} 08:30 UTC.\n\n<<<BEGIN EVENT>>>\nTitle: ${title}\nRules:\n<<<END EVENT>>>`,
  });

  test('has a page that members share and pages of their own, and one without a date', () => {
    for (const title of Array.from({ length: 40 }, (_, index) => `Event ${index}`)) {
      const research = councilModels.map(member => simulateSearch(member, prompt(title, '2026-11-20')));
      const [claude, gpt, , grok] = research.map(({ citations }) =>
        citations.map(({ url }) => url.replace(/\?.*/, '')),
      );
      expect(claude?.filter(url => gpt?.includes(url) && grok?.includes(url))).not.toEqual([]);
      const dates = research[0]?.citations.map(({ pageAge }) => pageAge) ?? [];
      expect(dates).toContain(null);
      const ages = dates.flatMap(age => (age === null ? [] : [Date.parse(`${age} UTC`)]));
      expect(ages.length).toBeGreaterThan(0);
      for (const age of ages) {
        expect(age).toBeLessThan(Date.parse('2026-11-20'));
        expect(age).toBeGreaterThan(Date.parse('2026-10-01'));
      }
      expect(new Set(research.map(({ text }) => text)).size).toBe(councilModels.length);
    }
  });

  test('depends on the event and the day of the prompt only', () => {
    const [one, other] = ['2026-11-20', '2031-03-01'].map(day => simulateSearch('claude', prompt('A', day)));
    const withoutDates = (text = '') => text.replaceAll(/[A-Z][a-z]+ \d{1,2}, 20\d\d/g, 'DATE');
    expect(withoutDates(one?.text)).toBe(withoutDates(other?.text));
    expect(one?.citations).not.toEqual(other?.citations);
    expect(simulateSearch('claude', prompt('B', '2026-11-20')).text).not.toBe(one?.text);
    const undated = simulateSearch('claude', {
      user: prompt('A', '2026-11-20').user.replace('It is', 'As of'),
    });
    expect(undated.citations.every(({ pageAge }) => pageAge === null)).toBe(true);
  });
});
