import { expect, test } from '@jest/globals';
import { presentGrade } from '../../../api/present/track-record.js';
import { decisionText } from '../../../contract/report-text/decision-text.js';
import type { FinalWords } from '../../../council/market/final-word.js';
import type { CurrentGrade } from '../../../db/track-record/grades.js';

test('a grade by prices says so, and knows no time', () => {
  const grade = presentGrade(gradeOf(null), new Set());
  expect(grade.markets).toEqual([
    {
      market_id: 'm',
      resolution: 'yes',
      final_at: null,
      decided_by: 'prices',
      was_disputed: false,
      rules_changed: false,
      settlement_value: null,
    },
  ]);
  expect(decisionText(grade)).toBe('Decided by final prices.');
});

test('a grade by the final word says who gave it, when, that it was disputed, and whose rules changed', () => {
  const grade = presentGrade(
    gradeOf({
      m: {
        resolution: 'yes',
        status: 'resolved',
        finalAt: '2031-03-04T10:00:00.000Z',
        decidedBy: 'uma',
        wasDisputed: true,
        settlementValue: 1,
        rulesUpdated: false,
        transactionHash: null,
      },
    }),
    new Set(['m']),
  );
  expect(grade.markets).toEqual([
    expect.objectContaining({
      final_at: '2031-03-04T10:00:00.000Z',
      decided_by: 'uma',
      was_disputed: true,
      rules_changed: true,
      settlement_value: 1,
    }),
  ]);
  expect(decisionText(grade)).toBe('Decided by UMA’s oracle. The answer was disputed.');
});

test('nothing is said of a market that the venue has not spoken about', () => {
  const grade = presentGrade(gradeOf({}, 'unresolved'), new Set());
  expect(grade.markets).toEqual([expect.objectContaining({ decided_by: null, was_disputed: false })]);
  expect(decisionText(grade)).toBe('');
});

test('what a share of YES paid is said where it was neither nothing nor a dollar', () => {
  const paid = (value: number) => ({ ...decided, resolution: 'void' as const, settlement_value: value });
  expect(decisionText({ markets: [paid(0.24)] })).toBe('Decided by the exchange. A share of YES paid $0.24.');
  expect(decisionText({ markets: [paid(0.015), paid(0.24), paid(1)] })).toBe(
    'Decided by the exchange. Paid in part: 2 of the markets.',
  );
});

const decided = {
  market_id: 'm',
  final_at: null,
  decided_by: 'exchange',
  was_disputed: false,
  rules_changed: false,
} as const;

function gradeOf(words: FinalWords | null, resolution: 'yes' | 'unresolved' = 'yes'): CurrentGrade {
  const at = new Date('2031-03-05T12:00:00Z');
  return {
    state: 'void',
    scores: null,
    openMarkets: 0,
    grader: 'grader/2',
    gradedAt: at,
    resolution: { id: 1, observedAt: at, outcomes: { m: resolution }, words },
    corrected: false,
  };
}
