import { expect } from '@jest/globals';

const text = expect.stringMatching(/\S/);
const digest = expect.stringMatching(/^[0-9a-f]{64}$/);

/** Checks what the OpenAPI schema of a completed report, against which each response is checked, leaves open. */
export function expectCompletedReport(report: any): void {
  expect(report).toMatchObject({
    event_id: text,
    event_title: text,
    status: 'completed',
    summary: text,
    completed_at: text,
    queried_market: text,
    progress: null,
    failure: null,
    lane: 'credits',
    grade: null,
    disclaimer: expect.stringMatching(/SIMULATED/),
    council_config: { requested: { models: ['grok', 'claude', 'gpt', 'gemini'] } },
  });
  expectPercent(report.probability);
  expectPercent(report.confidence);
  expectRuntime(report.council_config.runtime);
  expectDeliberation(report.deliberation, report.council_config.runtime);
}

function expectRuntime(runtime: any): void {
  expect(runtime).toMatchObject({
    degraded: false,
    provider_failures: {},
    most_likely_outcome: text,
    simulated: true,
    prices_at: text,
    method: { name: text, pooling: text },
  });
  expect(sorted(runtime.models)).toEqual(['claude', 'gemini', 'gpt', 'grok']);
  expectPercent(runtime.most_likely_probability);
  for (const percent of Object.values(runtime.market_probabilities)) expectPercent(percent);
  expect(Object.keys(runtime.market_implied_probabilities)).toEqual(
    Object.keys(runtime.market_probabilities),
  );
  for (const percent of Object.values(runtime.market_implied_probabilities))
    if (percent !== null) expectPercent(percent);
  expect(runtime.most_likely_source === 'market_implied').toBe(runtime.consensus_market_conflict);
  expect(runtime.market_probabilities).toHaveProperty([runtime.most_likely_outcome]);
  if (runtime.consensus_market_conflict) expect(runtime.top_bets).toEqual([]);
  else expect(runtime.most_likely_probability).toBe(Math.max(...percentsOf(runtime.market_probabilities)));
  expect(runtime.best_edge).toEqual(runtime.top_bets[0] ?? null);
  expect(runtime.estimate === null).toBe(runtime.estimate_missing !== null);
  if (runtime.estimate === null) expect(runtime.top_bets).toEqual([]);
  else expectEstimate(runtime);
  for (const bet of runtime.top_bets) expectBet(bet, runtime.estimate.probabilities);
  const stakes = runtime.top_bets.map((bet: any) => Math.round(bet.stake_fraction * 10_000));
  expect(stakes.reduce((total: number, stake: number) => total + stake, 0)).toBeLessThanOrEqual(500);
}

function expectEstimate({ estimate, market_probabilities, exclusive }: any): void {
  expect(estimate).toMatchObject({ method: 'estimate/2', weights: { id: text, sha256: digest } });
  expect(Object.keys(estimate.probabilities)).toEqual(Object.keys(market_probabilities));
  const tenths = percentsOf(estimate.probabilities).map(percent => Math.round(percent * 10));
  if (exclusive) expect(tenths.reduce((sum, each) => sum + each, 0)).toBe(1_000);
}

function expectBet(bet: any, estimate: Record<string, number>): void {
  expect(bet).toMatchObject({ market: text, slug: expect.stringMatching(/^\S+$/) });
  for (const percent of [bet.consensus_probability, bet.market_implied_probability, bet.win_probability])
    expectPercent(percent);
  for (const price of [bet.yes_price, bet.share_cost]) {
    expect(price).toBeGreaterThan(0);
    expect(price).toBeLessThan(1);
  }
  expect(bet.stake_fraction).toBeGreaterThanOrEqual(0);
  if (bet.expected_return_per_dollar <= 0) expect(bet.stake_fraction).toBe(0);
  expect(String(bet.edge_points)).toMatch(/^-?\d+(\.\d)?$/);
  expect(bet.payout_per_dollar).toBeCloseTo((1 - bet.share_cost) / bet.share_cost, 3);
  expect(bet.expected_return_per_dollar).toBeCloseTo(bet.win_probability / 100 / bet.share_cost - 1, 1);
  const yes = estimate[bet.market] ?? Object.values(estimate)[0] ?? Number.NaN;
  expect(bet.win_probability).toBeCloseTo(bet.side === 'BUY_YES' ? yes : 100 - yes, 6);
}

function expectDeliberation(deliberation: any, runtime: any): void {
  const outcomes = sorted(Object.keys(runtime.market_probabilities));
  const { opinions, cross_review, positions, synthesis, evidence } = deliberation;
  const ids = expectEvidence(evidence, runtime);
  expect(sorted(opinions.map(({ model }: any) => model))).toEqual(sorted(runtime.models));
  for (const opinion of opinions) {
    expect(opinion).toMatchObject({ rationale: text });
    for (const fact of opinion.evidence) expectFact(fact, ids);
    expect(sorted(opinion.distribution.map(({ outcome }: any) => outcome))).toEqual(outcomes);
  }
  expect(cross_review.reviews.length).toBeGreaterThan(0);
  for (const review of cross_review.reviews) {
    const others = sorted(runtime.models.filter((model: string) => model !== review.model));
    expect(sorted(review.ranking)).toEqual(others);
    expect(sorted(review.revised_distribution.map(({ outcome }: any) => outcome))).toEqual(outcomes);
    for (const critique of review.critiques)
      expect(critique).toMatchObject({ strengths: text, weaknesses: text });
  }
  expect(sorted(cross_review.aggregate_ranking.map(({ model }: any) => model))).toEqual(
    sorted(runtime.models),
  );
  expect(sorted(positions.map(({ model }: any) => model))).toEqual(sorted(runtime.models));
  for (const position of positions) {
    expect(runtime.market_probabilities).toHaveProperty([position.most_likely_outcome]);
    for (const points of [position.most_likely_probability, position.distance_points]) expectPercent(points);
  }
  expect(synthesis).toMatchObject({ model: runtime.chairman, summary: text });
}

/** @returns the ids of the sources. */
function expectEvidence(evidence: any, runtime: any): string[] {
  if (evidence === null) {
    expect(runtime.evidence).toBeNull();
    return [];
  }
  const ids: string[] = evidence.items.map(({ id }: any) => id);
  expect(sorted(ids)).toEqual(sorted(ids.map((_, index) => `S${index + 1}`)));
  expect(runtime.evidence).toMatchObject({ status: evidence.status, items: ids.length });
  expect(evidence).toMatchObject({ as_of: runtime.prices_at });
  for (const item of evidence.items) {
    expect(item).toMatchObject({ text, domain: text, url: expect.stringMatching(/^https:/) });
    expect(item.found_by.length).toBeGreaterThan(0);
    expect(item.published_at ?? '2031-01-01').toMatch(/^\d{4}-\d\d-\d\d$/);
  }
  return ids;
}

function expectFact(fact: any, ids: readonly string[]): void {
  expect(fact).toMatchObject({ fact: text });
  expect(fact.sources.filter((id: string) => !ids.includes(id))).toEqual([]);
}

/** 0..100, at most one decimal. */
function expectPercent(value: unknown): void {
  expect(String(value)).toMatch(/^(100|\d{1,2}(\.\d)?)$/);
}

/** In whole tenths, to avoid floating-point errors. */
export function tenthsOf(distribution: Record<string, number>): number {
  return percentsOf(distribution).reduce((sum, percent) => sum + Math.round(percent * 10), 0);
}

function percentsOf(distribution: Record<string, number>): number[] {
  return Object.values(distribution);
}

function sorted(names: readonly string[]): string[] {
  return [...names].sort();
}
