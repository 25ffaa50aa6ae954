import { describe, expect, test } from '@jest/globals';
import {
  afterRefusal,
  type BatchSituation,
  batchRunsLeft,
  refusalOfRow,
  rowsInWindow,
} from '../../purchase/batches.js';
import { insufficientCredits, runLimitExceeded } from '../../purchase/purchase.js';

const situation: BatchSituation = {
  status: 'running',
  isRowWaiting: true,
  budgetCredits: 1_000,
  spentCredits: 900,
  maxCreditsEach: null,
  rowsInFlight: 0,
  freshRowsToday: 0,
  secondsToNextDay: 3_600,
};

describe('a row', () => {
  test('is bought to the last credit of the budget, and not beyond', () => {
    expect(refusalOfRow(situation, 100)).toBeNull();
    expect(refusalOfRow(situation, 101)).toMatchObject({
      refused: 'insufficient_credits',
      pausesBatch: 'budget',
    });
  });

  test('that costs more than a row may is refused, and the batch goes on', () => {
    const refused = refusalOfRow({ ...situation, maxCreditsEach: 60 }, 61);
    expect(refused).toMatchObject({ refused: 'quote_expired', data: { cost_credits: 61 } });
    expect(refused === null ? null : afterRefusal(refused)).toEqual({ kind: 'refuse' });
    expect(refusalOfRow({ ...situation, maxCreditsEach: 60 }, 60)).toBeNull();
  });

  test.each([
    ['of a paused batch', { status: 'paused' as const }],
    ['of a cancelled batch', { status: 'cancelled' as const }],
    ['that was bought before', { isRowWaiting: false }],
  ])('%s is not bought', (_, change) => {
    expect(refusalOfRow({ ...situation, ...change }, 1)).toMatchObject({ refused: 'unavailable' });
  });

  test('is refused for good only where it would be refused again', () => {
    expect(afterRefusal(insufficientCredits(100, 0, 0))).toEqual({ kind: 'pause', reason: 'balance' });
    expect(afterRefusal(runLimitExceeded(90))).toEqual({ kind: 'wait', waits: 'batch', seconds: 90 });
    expect(afterRefusal({ refused: 'event_closed', detail: '' })).toEqual({ kind: 'refuse' });
    expect(afterRefusal({ refused: 'unavailable', detail: '', retryAfterSeconds: 2 })).toEqual({
      kind: 'wait',
      waits: 'batch',
      seconds: 2,
    });
    expect(
      afterRefusal({ refused: 'unavailable', detail: '', retryAfterSeconds: 2, countedAs: 'event_rests' }),
    ).toEqual({ kind: 'wait', waits: 'row', seconds: 2 });
  });
});

describe('the fresh rows that an account may start', () => {
  test('are twenty in flight, over all of its batches', () => {
    expect(batchRunsLeft(situation)).toEqual({ left: 20, secondsToNext: 0 });
    expect(batchRunsLeft({ ...situation, rowsInFlight: 20 })).toEqual({ left: 0, secondsToNext: 5 });
  });

  test('are a thousand a day, and the next one waits for midnight UTC', () => {
    expect(batchRunsLeft({ ...situation, freshRowsToday: 999 })).toEqual({ left: 1, secondsToNext: 0 });
    expect(batchRunsLeft({ ...situation, freshRowsToday: 1_000 })).toEqual({ left: 0, secondsToNext: 3_600 });
  });
});

test('what a batch has in flight halves with each slot in which a member was refused, down to one row', () => {
  expect(rowsInWindow(20, {})).toBe(20);
  expect([1, 2, 3, 4, 12].map(slots => rowsInWindow(20, { grok: slots, gpt: 1 }))).toEqual([10, 5, 2, 1, 1]);
});
