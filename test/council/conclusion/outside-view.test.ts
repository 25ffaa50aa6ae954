import { describe, expect, test } from '@jest/globals';
import { baseRatePercent, outsideView, resolutionRisk } from '../../../council/conclusion/outside-view.js';
import type { Opinion } from '../../../council/deliberation/stages.js';
import type { OutcomeSet } from '../../../council/market/outcome-set.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import type { CouncilModel } from '../../../council/models.js';
import { cupMatch, event, grounds, market, opinion } from '../fixtures.js';

type Opinions = Partial<Record<CouncilModel, Opinion>>;
type Views = Partial<Record<CouncilModel, readonly [outcome: string, percent: number]>>;

const oneMarket = outcomeSet(event([market({ name: 'A' })]));
const cup = outcomeSet(cupMatch);
const apart = outcomeSet(event([market({ name: 'A' }), market({ name: 'B' })], { exclusive: false }));

const opinionOf = (overrides: Parameters<typeof grounds>[0]) => opinion({}, { grounds: grounds(overrides) });

function viewing(views: Views): Opinions {
  return Object.fromEntries(
    Object.entries(views).map(([model, [outcome, probability]]) => [
      model,
      opinionOf({ outsideView: { outcome, probability } }),
    ]),
  );
}

const views = (set: OutcomeSet, given: Views) => outsideView(set, viewing(given));

describe('the outside view', () => {
  test('is the pool of what the members’ base rates say, by members in the council’s order', () => {
    const logitMean = 100 / (1 + Math.exp(-(Math.log(0.1 / 0.9) + Math.log(0.3 / 0.7)) / 2));
    expect(views(oneMarket, { grok: ['Yes', 10], claude: ['Yes', 30] })).toEqual([
      { outcome: 'Yes', probability: Number(logitMean.toFixed(1)), members: ['claude', 'grok'] },
    ]);
  });

  test('of two outcomes is that of the first, whichever the members speak of', () => {
    expect(views(oneMarket, { claude: ['Yes', 20], gpt: ['No', 80] })).toEqual([
      { outcome: 'Yes', probability: 20, members: ['claude', 'gpt'] },
    ]);
    expect(views(oneMarket, { gpt: ['No', 70] })).toEqual([
      { outcome: 'Yes', probability: 30, members: ['gpt'] },
    ]);
  });

  test('of more outcomes is one for each that a member speaks of, in their order', () => {
    expect(
      views(cup, { claude: ['South Africa', 15], gpt: ['Canada', 60], grok: ['South Africa', 15] }),
    ).toEqual([
      { outcome: 'Canada', probability: 60, members: ['gpt'] },
      { outcome: 'South Africa', probability: 15, members: ['claude', 'grok'] },
    ]);
    expect(views(apart, { claude: ['B', 40] })).toEqual([
      { outcome: 'B', probability: 40, members: ['claude'] },
    ]);
  });

  test('counts a certain member as 1 or 99 %, as the pool does, so that nobody has a veto', () => {
    expect(views(oneMarket, { claude: ['Yes', 0] })).toMatchObject([{ probability: 1 }]);
    expect(views(oneMarket, { claude: ['Yes', 100] })).toMatchObject([{ probability: 99 }]);
  });

  test('is empty without one, and for answers of 1.0.0', () => {
    expect(outsideView(oneMarket, { claude: opinionOf({}), gpt: opinion({ Yes: 62, No: 38 }) })).toEqual([]);
    expect(outsideView(oneMarket, {})).toEqual([]);
  });

  test('does not depend on the order in which the members are given', () => {
    const given = {
      claude: ['Yes', 12.3],
      gpt: ['No', 45.6],
      gemini: ['Yes', 7.8],
      grok: ['Yes', 91],
    } as const;
    const turned = Object.fromEntries(Object.entries(given).toReversed());
    expect(JSON.stringify(views(oneMarket, turned))).toBe(JSON.stringify(views(oneMarket, given)));
  });
});

describe('the risk of another resolution', () => {
  const risk = (...risks: (number | null)[]) =>
    resolutionRisk(
      Object.fromEntries(
        (['claude', 'gpt', 'gemini', 'grok'] as const)
          .slice(0, risks.length)
          .map((model, index) => [model, opinionOf({ resolutionRisk: risks[index] ?? null })]),
      ),
    );

  test('is the median of those that the members name', () => {
    expect(risk(2, 90, 4)).toBe(4);
    expect(risk(2, null, 3, null)).toBe(2.5);
  });

  test('is unknown if nobody names one', () => {
    expect(risk(null)).toBeNull();
    expect(resolutionRisk({ gpt: opinion({ Yes: 62 }) })).toBeNull();
  });
});

test('a base rate counts as (k + 1) / (n + 2), and never as impossible or certain', () => {
  expect(baseRatePercent({ k: 3, n: 20 })).toBe(18.2);
  expect(baseRatePercent({ k: 0, n: 1 })).toBe(33.3);
  expect(baseRatePercent({ k: 0, n: 41 })).toBe(2.3);
  expect(baseRatePercent({ k: 8, n: 8 })).toBe(90);
});
