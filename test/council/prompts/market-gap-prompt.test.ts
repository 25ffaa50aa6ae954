import { describe, expect, test } from '@jest/globals';
import { conclude } from '../../../council/conclusion/conclude.js';
import type { MarketEvent } from '../../../council/event.js';
import { packOf } from '../../../council/evidence/assemble-evidence.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { councilModels } from '../../../council/models.js';
import { marketGapQuestion } from '../../../council/questions/market-gap-question.js';
import { opinionQuestion, synthesisQuestion } from '../../../council/questions/stage-questions.js';
import { input } from '../conclusion/conclude-input.js';
import { assembled, ranged } from '../evidence/research-fixtures.js';
import { event, opinion, priced, review, unanimous } from '../fixtures.js';
import { hostileTexts } from './hostile-texts.js';
import { telltale } from './prompt-scan.js';

const found = assembled({
  claude: ranged([{ text: 'The jury met on Monday.', url: 'https://a.example.org/' }]),
  grok: ranged([{ text: 'Gamma has withdrawn once.', url: 'https://b.example.org/' }]),
});

function deliberationOn(on: MarketEvent, percents: Readonly<Record<string, number>>) {
  const brief = { event: on, set: outcomeSet(on), asOf: '2031-04-01T00:00:00Z', seed: 'seed' };
  return { ...brief, members: councilModels, opinions: unanimous(councilModels, percents), found };
}

const apart = deliberationOn(telltale, { Alpha: 40, Beta: 40, Gamma: 20 });

describe('where council and market are 8 points apart, the question', () => {
  const { prompt } = marketGapQuestion(apart, {}, 'gpt') ?? {
    prompt: { system: '', user: '', sharedChars: 0 },
  };
  const { runtime } = conclude(input({ event: telltale, opinions: apart.opinions }));
  const own = prompt.user.slice(prompt.sharedChars);

  test('shows the two numbers that the report publishes, and no other price', () => {
    expect(runtime.market_gap).toEqual({ outcome: 'Alpha', council: 40, market: 61.9, points: 21.9 });
    expect(own).toContain('For O1, the council says 40 %. The market’s price implies 61.9 %.');
    expect(own.match(/\d+(?:\.\d+)? %/g)).toEqual(['40 %', '61.9 %']);
  });

  test('begins like every other question to the member, and shows the sources of the others', () => {
    const first = opinionQuestion(apart, packOf(found, 'gpt')).prompt;
    expect(prompt.system).toBe(first.system);
    expect(prompt.user.slice(0, prompt.sharedChars)).toBe(first.user.slice(0, first.sharedChars));
    for (const text of ['The jury met on Monday.', 'Gamma has withdrawn once.'])
      for (const explainer of councilModels)
        expect(marketGapQuestion(apart, {}, explainer)?.prompt.user).toContain(text);
  });

  test('contains no word of a member', () => {
    const words = 'A sentence of one member.';
    const opinions = Object.fromEntries(
      councilModels.map(model => [
        model,
        opinion(
          { Alpha: 40, Beta: 40, Gamma: 20 },
          { rationale: words, evidence: [{ fact: words, sources: [] }] },
        ),
      ]),
    );
    expect(marketGapQuestion({ ...apart, opinions }, {}, 'gpt')?.prompt.user).not.toContain(words);
    expect(synthesisQuestion({ ...apart, opinions }, {}, 'gpt').prompt.user).toContain(words);
  });

  test.each(hostileTexts)('keeps inside a fence: %s', text => {
    expect(outside(aboutOutcome(text))).toBe(outside(aboutOutcome('Beta')));
  });
});

/** The question about an event with an outcome of this name, on the first of which council and market are apart. */
function aboutOutcome(name: string): string {
  const on = event([priced('Alpha', 0.5), priced(name, 0.5)], { title: name, description: name });
  const names = outcomeSet(on).outcomes.map(outcome => outcome.name);
  const percents = Object.fromEntries(names.map((each, index) => [each, index === 0 ? 70 : 30]));
  return marketGapQuestion(deliberationOn(on, percents), {}, 'gpt')?.prompt.user ?? '';
}

describe('the question', () => {
  test.each([
    ['7.9 points', { Alpha: 54, Beta: 33.4, Gamma: 12.6 }, false],
    ['8 points', { Alpha: 53.9, Beta: 33.4, Gamma: 12.7 }, true],
  ] as const)('is asked if and only if the conclusion finds a gap: %s', (_, percents, isApart) => {
    const deliberation = deliberationOn(telltale, percents);
    const { runtime } = conclude(input({ event: telltale, opinions: deliberation.opinions }));
    expect(runtime.market_gap !== null).toBe(isApart);
    expect(marketGapQuestion(deliberation, {}, 'gpt') !== null).toBe(isApart);
  });

  test('goes by the forecasts after the reviews', () => {
    const close = review(['gpt'], { Alpha: 62, Beta: 25, Gamma: 13 });
    const reviews = Object.fromEntries(councilModels.map(model => [model, close]));
    expect(marketGapQuestion(apart, reviews, 'gpt')).toBeNull();
  });
});

function outside(user: string): string {
  return user.replace(/<<<BEGIN (.+) ([0-9a-f]{8})>>>\n[\s\S]*?\n<<<END \1 \2>>>/g, '[$1]');
}
