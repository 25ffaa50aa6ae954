import { describe, expect, test } from '@jest/globals';
import { type ConcludeInput, conclude } from '../../council/conclusion/conclude.js';
import type { Evidence } from '../../council/evidence.js';
import { gradeForecast } from '../../record/grades/grade.js';
import { parseRecordedForecast } from '../../record/parse-recorded-forecast.js';
import { freezeForecast, type RecordedForecast } from '../../record/recorded-forecast.js';
import { input, weights } from '../council/conclusion/conclude-input.js';
import { review } from '../council/fixtures.js';

const digest = 'b'.repeat(64);

/** As it is stored and read again. */
function recorded(overrides: Partial<ConcludeInput> = {}): RecordedForecast {
  const given = input({
    reviews: { claude: review(['gpt'], { Canada: 70, Draw: 20, 'South Africa': 10 }) },
    ...overrides,
  });
  const forecast = freezeForecast({
    reportId: 1,
    input: given,
    conclusion: conclude(given),
    modelIds: {},
    promptSha256: digest,
    completedAt: '2031-04-01T00:01:00Z',
  });
  const read = parseRecordedForecast(
    JSON.stringify({ ...forecast, answers_sha256: digest, market_sha256: digest }),
  );
  if (read === null) throw new Error('the record cannot be read');
  return read;
}

const won = { 'id-Canada': 'yes', 'id-Draw': 'no', 'id-South Africa': 'no' } as const;

describe('the record', () => {
  const forecast = recorded();

  test('freezes the estimate and its weights', () => {
    const { runtime } = conclude(input());
    expect(forecast.record).toBe('record/2');
    expect(forecast.estimate_weights).toEqual({ id: weights.id, sha256: weights.sha256 });
    expect(forecast.outcomes.every(({ estimate }) => typeof estimate === 'number')).toBe(true);
    expect(runtime.estimate).not.toBeNull();
    expect(forecast.bets.every(({ win_probability }) => typeof win_probability === 'number')).toBe(true);
  });

  test('freezes the stakes of its bets, and none in a report of 1.0.0', () => {
    const [bet] = forecast.bets;
    expect(bet?.stake_fraction).toBeGreaterThan(0);
    const before = recorded({ method: 'council/1' });
    expect(before.record).toBe('record/1');
    const { stake_fraction: _, ...same } = { ...bet };
    expect(before.bets).toEqual([same]);
  });

  test('freezes first opinions beside final ones, so that the value of review can be graded', () => {
    const [canada] = forecast.outcomes;
    expect(canada?.members.claude).toBe(70);
    expect(canada?.first_members.claude).toBe(62);
    expect(canada?.first_council).toBe(62);
    expect(canada?.council).toBeGreaterThan(62);
  });

  test('is graded with the estimate and the first opinions', () => {
    const grade = gradeForecast(forecast, won);
    const scores = grade === 'pending' ? null : grade.scores;
    expect(scores?.estimate?.brier).toBeGreaterThan(0);
    expect(scores?.first_council?.brier).toBeGreaterThan(scores?.council?.brier ?? 2);
    expect(scores?.first_members.claude?.brier).toBeGreaterThan(scores?.members.claude?.brier ?? 2);
  });
});

describe('the evidence of a forecast', () => {
  const evidence: Evidence = {
    status: 'none',
    as_of: '2031-04-01T00:00:00Z',
    searches: 2,
    items: [],
    removed: { market_sources: 1, odds_statements: 0, duplicates: 0, other: 0 },
    failures: {},
  };

  test('is frozen as its status, count and hash', () => {
    const sha256 = 'e'.repeat(64);
    const { evidence: frozen } = recorded({ evidence: { evidence, sha256 } });
    expect(frozen).toEqual({ status: 'none', items: 0, sha256 });
  });

  test('is null where nobody searched', () => {
    expect(recorded()).toHaveProperty('evidence', null);
  });
});
