import { beforeEach, describe, expect, test } from '@jest/globals';
import { createRequestBudget } from '../../markets/request-budget.js';
import {
  marketRequestsBurst,
  marketRequestsPerSecond,
  marketRequestsReserved,
} from '../../purchase/limits.js';

let nowMs = 0;
let gateFor: ReturnType<typeof createRequestBudget>;

beforeEach(() => {
  gateFor = createRequestBudget(
    () => new Date(nowMs),
    () => undefined,
  );
});

/** How many of 1,000 requests are admitted. */
const admitted = (purpose: Parameters<typeof gateFor>[0]) =>
  Array.from({ length: 1_000 }, () => gateFor(purpose).admit('/events')).filter(seconds => seconds === 0)
    .length;

test('searches leave the reserve to price checks, and neither keeps a purchase waiting', () => {
  expect(admitted('browse')).toBe(marketRequestsBurst - marketRequestsReserved);
  expect(admitted('check')).toBe(marketRequestsReserved);
  expect(admitted('purchase')).toBe(1_000);
});

test('after any number of purchases, searches wait for a limited time', () => {
  admitted('purchase');
  const seconds = gateFor('browse').admit('/events');
  expect(seconds).toBeLessThanOrEqual(
    (marketRequestsBurst + marketRequestsReserved + 1) / marketRequestsPerSecond + 1,
  );
  nowMs += seconds * 1_000;
  expect(gateFor('browse').admit('/events')).toBe(0);
});

describe('a pause that the market asked for', () => {
  test('holds for every purpose, at this endpoint alone, until it is over', () => {
    gateFor('browse').pause('/public-search', 60);
    for (const purpose of ['browse', 'purchase', 'run', 'grading'] as const) {
      expect(gateFor(purpose).admit('/public-search')).toBe(60);
      expect(gateFor(purpose).admit('/events')).toBe(0);
    }
    nowMs += 60_000;
    expect(gateFor('browse').admit('/public-search')).toBe(0);
  });
});
