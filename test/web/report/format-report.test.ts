import { describe, expect, test } from '@jest/globals';
import { method } from '../../../council/method.js';
import { progressText, refundText, stageSteps, verdictLine } from '../../../web/report/format-report.js';
import { comparisonText, outcomeText } from '../../../web/report/grade/format-grade.js';
import { lossText, quorumText } from '../../../web/report/headline/format-cautions.js';
import { counterpartText } from '../../../web/report/headline/format-verdict.js';
import { thresholdName } from '../../../web/report/provenance/format-thresholds.js';

/** With plain spaces in place of narrow and no-break spaces. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('the texts of a report', () => {
  test('state the effect of losing a model at each stage', () => {
    const lost = { model: 'grok', kind: 'timed_out', detail: 'timed out after 45 s at opinions' } as const;
    expect(lossText({ ...lost, stage: 'opinions' })).toBe(
      'Grok: timed out after 45 s at opinions; its forecast is missing from every number.',
    );
    expect(quorumText(3, 4)).toBe('Three of four members gave a forecast.');
    expect(quorumText(4, 4)).toContain('All four members gave a forecast');
  });

  test('name the council’s own favourite in a conflict', () => {
    const runtime = {
      most_likely_outcome: 'A',
      most_likely_source: 'market_implied',
      market_probabilities: { A: 10, B: 90 },
      market_implied_probabilities: { A: 80, B: null },
      estimate: null,
    } as const;
    expect(plain(counterpartText(runtime))).toBe('Council: 10 %. The council’s favourite is B with 90 %.');
    expect(plain(counterpartText({ ...runtime, most_likely_source: 'council' }))).toBe('Market: 80 %.');
    expect(counterpartText({ ...runtime, most_likely_source: 'council', most_likely_outcome: 'B' })).toBe(
      'The market has no price for this outcome.',
    );
  });

  test('give the estimate of the headline’s outcome beside the other number', () => {
    const coefficients = { market: 0.7, council: 0.4, council_by_dispersion: 0.1 };
    const runtime = {
      most_likely_outcome: 'A',
      most_likely_source: 'council',
      market_probabilities: { A: 60, B: 40 },
      market_implied_probabilities: { A: 50, B: 50 },
      estimate: {
        probabilities: { A: 53.5, B: 46.5 },
        method: 'estimate/1',
        weights: { id: 'weights-test', sha256: 'a'.repeat(64), coefficients },
      },
    } as const;
    expect(plain(counterpartText(runtime))).toBe('Market: 50 %. Estimate: 53.5 %.');
    expect(plain(counterpartText({ ...runtime, most_likely_source: 'market_implied' }))).toBe(
      'Council: 60 %. Estimate: 53.5 %.',
    );
  });

  test('state the outcome, and whether council or market scored better', () => {
    const outcomes = [
      { name: 'A', happened: 1 },
      { name: 'B', happened: 0 },
      { name: 'C', happened: 1 },
    ] as const;
    const score = (brier: number) => ({ brier, log_score: 1, hit: 1 });
    const none = { council: null, market: null, blend: null, mean: null, members: {} };
    const added = { estimate: null, first_council: null, first_members: {} };
    const scores = { outcomes, bets: [], ...none, ...added };
    expect(
      outcomeText({ state: 'graded', scores: { ...scores, outcomes: outcomes.slice(0, 2) } }, true),
    ).toBe('It resolved to “A”.');
    expect(outcomeText({ state: 'graded', scores }, false)).toBe('“A” and “C” happened.');
    expect(outcomeText({ state: 'graded', scores: { ...scores, outcomes: [] } }, false)).toBe(
      'None of these happened.',
    );
    expect(outcomeText({ state: 'void', scores: null }, true)).toContain('declared void');
    expect(comparisonText({ council: score(0.2), market: score(0.3) })).toContain(
      'The council scored better',
    );
    expect(comparisonText({ council: score(0.3), market: score(0.2) })).toContain('The market scored better');
    expect(comparisonText({ council: score(0.3), market: score(0.3004) })).toContain('scored the same');
    expect(comparisonText({ council: score(0.3), market: null })).toContain('cannot be compared');
  });

  test('state the refund of a failed run and where it went', () => {
    expect(refundText('credits', { pool: 'purchased', amount_credits: 70 })).toContain(
      '70 credits, to your purchased credits',
    );
    expect(refundText('credits', { pool: 'weekly_grant', amount_credits: 70 })).toContain(
      'is available again',
    );
    expect(refundText('byok', null)).toContain('was refunded in full');
    expect(refundText('subscription', null)).toContain('Nothing was charged');
  });

  test('state the progress of a run', () => {
    const progress = { stage: 'cross_review', done: 2, of: 3, answered: [] } as const;
    expect(stageSteps(progress, false).map(({ state }) => state)).toEqual(['done', 'now', 'next']);
    expect(stageSteps(progress, true).map(({ state }) => state)).toEqual(['done', 'done', 'now', 'next']);
    expect(progressText({ status: 'processing', progress })).toBe('Cross-review: 2 of 3 answered.');
    expect(progressText({ status: 'pending', progress: null })).toBe('The run is about to start.');
  });

  test('name every published threshold', () => {
    for (const key of Object.keys(method.thresholds))
      expect(thresholdName(key)).not.toBe(key.replaceAll('_', ' '));
    expect(thresholdName('some_later_one')).toBe('some later one');
  });

  test('summarise a report in one line', () => {
    const summary = {
      id: 1,
      event_id: 'e',
      event_title: 'Will it rain?',
      status: 'completed',
      queried_market: 'Will it rain?',
      action: 'BUY_NO',
      probability: 12.5,
      confidence: 60,
      lane: 'credits',
      cached: false,
      simulated: true,
      api_key_id: null,
      created_at: '2031-01-01T00:00:00.000Z',
      completed_at: null,
    } as const;
    expect(plain(verdictLine(summary))).toBe('Buy NO: council 12.5 % for YES, confidence 60');
    expect(plain(verdictLine({ ...summary, queried_market: 'Draw', action: 'SKIP' }))).toBe(
      'Skip on “Draw”: 12.5 % for YES, confidence 60',
    );
    expect(verdictLine({ ...summary, status: 'failed', lane: 'byok' })).toContain('refunded');
    expect(verdictLine({ ...summary, status: 'failed', lane: 'subscription' })).toContain(
      'Nothing was billed.',
    );
    expect(verdictLine({ ...summary, status: 'processing', action: null })).toBe('The run is in progress.');
  });
});
