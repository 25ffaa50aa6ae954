import { describe, expect, test } from '@jest/globals';
import { presentRuntime } from '../../../api/present/report.js';
import {
  estimateFormula,
  estimateNotes,
  formulaTerms,
  numberLines,
  sideNumbers,
} from '../../../contract/report-text/estimate-text.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { conclude } from '../../../council/conclusion/conclude.js';
import { input, percents, weights } from '../../council/conclusion/conclude-input.js';
import { unanimous } from '../../council/fixtures.js';

const runtime: RuntimeView = presentRuntime(conclude(input()).runtime, null);

describe('the numbers of a report', () => {
  test('have one name each, say what they are, and which one to act on', () => {
    const [act, council, market, ...rest] = numberLines(runtime);
    expect(council).toMatch(/^Council: .*All were made without seeing a price\.$/);
    expect(market).toMatch(/^Market: .*prices/);
    expect(act).toMatch(/^Estimate: council and market.*act on this number\.$/);
    expect(rest).toEqual([]);
  });

  test.each([
    ['no_price', /no prices/],
    ['sum_out_of_range', /add up to too much or too little/],
    ['no_firm_price', /not firm/],
  ] as const)('say why there is no estimate: %s', (estimate_missing, reason) => {
    const notes = estimateNotes({ ...runtime, estimate: null, estimate_missing });
    expect(notes).toEqual([expect.stringMatching(reason)]);
  });

  test('do not hide that an outcome has no estimate', () => {
    const partial = { ...estimateOf(runtime), probabilities: { Canada: null, Draw: 20 } };
    expect(estimateNotes({ ...runtime, estimate: partial })).toEqual([
      expect.stringContaining('without a firm price'),
    ]);
  });
});

describe('a bet', () => {
  test('on NO has all its numbers turned to NO', () => {
    const [bet] = runtime.top_bets;
    if (bet === undefined) throw new Error('the worked example has a bet');
    expect(sideNumbers({ ...bet, side: 'BUY_NO' })).toEqual({ council: 38, market: 44.2 });
  });
});

describe('the formula of the estimate', () => {
  test('names every coefficient, with its sign', () => {
    expect(estimateFormula(estimateOf(runtime), runtime.method.thresholds)).toBe(
      'log estimate = 0.7 · log market + (0.4 + 0.1 · (dispersion − 0.4)) · log council',
    );
    const coefficients = { ...weights.coefficients, council_by_dispersion: -0.05 };
    expect(estimateFormula({ ...estimateOf(runtime), weights: { ...weights, coefficients } }, {})).toContain(
      '(0.4 − 0.05 · (dispersion − the usual one))',
    );
  });

  test.each([
    ['estimate/1', ['2 %/n by the market', 'the members’ final forecasts']],
    ['estimate/2', ['0.2 %/n by the market', 'the members’ first forecasts']],
    ['estimate/9', ['the members’ forecasts']],
  ])(
    'of %s says what counts at least, and whose dispersion it is, unless it is a later one',
    (method, terms) => {
      const text = formulaTerms({ method });
      for (const term of terms) expect(text).toContain(term);
      expect(text.includes('none counts as less')).toBe(terms.length > 1);
    },
  );

  test('gives the published estimate when a reader applies it to the published numbers', () => {
    const members = { claude: 70, gpt: 55, gemini: 62, grok: 60 };
    const opinions = Object.fromEntries(
      Object.entries(members).map(([model, canada]) => [
        model,
        Object.values(unanimous(['claude'], { Canada: canada, Draw: 90 - canada, 'South Africa': 10 }))[0],
      ]),
    );
    const published = presentRuntime(conclude(input({ opinions })).runtime, null);
    const names = Object.keys(percents);
    const distributions = Object.values(members).map(canada => [canada, 90 - canada, 10]);
    const logs = names.map(name => {
      const market = published.market_implied_probabilities[name] ?? Number.NaN;
      const council = published.market_probabilities[name] ?? Number.NaN;
      const exponent =
        0.4 +
        0.1 * (dispersionOf(distributions) - (published.method.thresholds['dispersion_usual'] ?? Number.NaN));
      return 0.7 * Math.log(market / 100) + exponent * Math.log(council / 100);
    });
    const total = logs.reduce((sum, log) => sum + Math.exp(log), 0);
    names.forEach((name, index) => {
      const estimate = (100 * Math.exp(logs[index] ?? Number.NaN)) / total;
      expect(estimate).toBeCloseTo(published.estimate?.probabilities[name] ?? Number.NaN, 0);
    });
  });
});

/** In the words of the report: the root mean square, over all pairs of outcomes, of the deviation of their log odds. */
function dispersionOf(distributions: readonly (readonly number[])[]): number {
  const pairs = [
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const;
  const variances = pairs.map(([a, b]) => {
    const odds = distributions.map(each => Math.log((each[a] ?? Number.NaN) / (each[b] ?? Number.NaN)));
    const mean = odds.reduce((sum, value) => sum + value, 0) / odds.length;
    return odds.reduce((sum, value) => sum + (value - mean) ** 2, 0) / odds.length;
  });
  return Math.sqrt(variances.reduce((sum, value) => sum + value, 0) / variances.length);
}

function estimateOf({ estimate: found }: RuntimeView): NonNullable<RuntimeView['estimate']> {
  if (found === null) throw new Error('the worked example has an estimate');
  return found;
}
