import { expect } from '@jest/globals';

/** Fields that may be public: what a caller pays, what a market pays, and the estimate of an outcome. */
const publicMoney =
  /^(estimate(_missing|_weights|_difference|_brier)?|cost_credits|share_cost(_min|_max)?|(payout|((expected|mean|claimed|actual)_)?return)_per_dollar|(price|amount|refunded)_usd_cents)$/;
const providerMoney = /usd|dollar|cost|token|micros|estimate/i;
const amounts = /(^|_)(credits|cents|credits_spent)$/;

/**
 * Checks every response of every test: none reveals what the house pays its providers, and amounts are whole
 * numbers.
 */
export function scanAnswer(body: unknown): void {
  for (const [field, value] of fieldsOf(body)) {
    if (providerMoney.test(field) && !publicMoney.test(field))
      expect(`revealed by a response: ${field}`).toBe('');
    if (amounts.test(field) && value !== null)
      expect([field, amountsOf(value).every(Number.isInteger)]).toEqual([field, true]);
  }
}

/** An amount, or several by their names: `credits` of a batch. */
function amountsOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [value];
}

function fieldsOf(value: unknown): (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.entries(value);
  return [...own, ...Object.values(value).flatMap(fieldsOf)];
}
