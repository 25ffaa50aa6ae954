import { describe, expect, test } from '@jest/globals';
import { presentRuntime } from '../../../api/present/report.js';
import {
  type BaseRateRow,
  baseRateRows,
  baseRateText,
  type MemberView,
  outsideViewText,
  ratesText,
  stepsText,
  viewPaths,
} from '../../../contract/report-text/grounds-text.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { conclude } from '../../../council/conclusion/conclude.js';
import { input } from '../../council/conclusion/conclude-input.js';
import { reportExample } from '../../support/expect/examples.js';

const rate = { reference_class: 'meetings', k: 12, n: 21, rate: 56.5, period: 'since 2000', sources: [] };
const ofThree = presentRuntime(conclude(input()).runtime, null);
const { runtime: ofTwo } = reportExample.council_config;
if (ofTwo === null) throw new Error('the example has completed');

const view = (model: MemberView['model'], outcome: string, probability: number): MemberView => ({
  model,
  base_rates: [rate],
  outside_view: { outcome, probability },
});

describe('base rates', () => {
  test('stand side by side in the order of the members, with what they count', () => {
    const rows = baseRateRows([
      view('grok', 'Yes', 40),
      { ...view('claude', 'Yes', 50), outside_view: null },
    ]);
    expect(rows.map(({ model, outcome }) => [model, outcome])).toEqual([
      ['claude', null],
      ['grok', 'Yes'],
    ]);
    expect(baseRateText(rate)).toBe('12 of 21 (since 2000)');
  });

  test.each([
    [['Yes', 'Yes'], 'ended with “Yes”,'],
    [['Yes', null], 'ended with the outcome named,'],
    [[null], 'ended this way,'],
  ])('of %j say what the counted events ended with', (outcomes, ending) => {
    const rows = outcomes.map((outcome): BaseRateRow => ({ model: 'gpt', outcome, rate }));
    expect(ratesText(rows)).toContain(ending);
  });
});

describe('the way to the estimate', () => {
  const pathOf = (runtime: RuntimeView, views: readonly MemberView[], outcome: string) => {
    const members = views.map(({ model }) => model);
    const outside = { ...runtime, outside_view: [{ outcome, probability: 45, members }] };
    return viewPaths(outside, views).map(path => stepsText(path));
  };

  test('begins with the members’ own outside views; of two outcomes, what is said of one is said of the other', () => {
    const views = [view('claude', 'Yes', 40), view('gpt', 'No', 49.9)];
    const { market_probabilities: council, market_implied_probabilities: market, estimate } = ofTwo;
    expect(pathOf(ofTwo, views, 'Yes')).toEqual([
      `outside view 45 % (claude 40, gpt 50.1) → council ${council['Yes']} % → market ${market['Yes']} % → estimate ${estimate?.probabilities['Yes']} %`,
    ]);
  });

  test('leaves out what the report does not have', () => {
    const [outcome = ''] = Object.keys(ofThree.market_probabilities);
    const unpriced = { ...ofThree, estimate: null, market_implied_probabilities: { [outcome]: null } };
    const [text] = pathOf(unpriced, [view('claude', outcome, 45)], outcome);
    expect(text).toBe(`outside view 45 % (claude 45) → council ${ofThree.market_probabilities[outcome]} %`);
    expect(viewPaths({ ...ofThree, outside_view: [] }, [])).toEqual([]);
  });

  test('is explained without the estimate where there is none', () => {
    const ofSteps = (...names: readonly string[]) =>
      outsideViewText([{ outcome: 'Yes', members: [], steps: names.map(name => ({ name, percent: 1 })) }]);
    expect(ofSteps('outside view', 'council', 'market', 'estimate')).toContain('The estimate weighs');
    expect(ofSteps('outside view', 'council', 'market')).not.toContain('estimate');
  });
});
