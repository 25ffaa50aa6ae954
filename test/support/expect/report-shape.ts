import { expect } from '@jest/globals';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const text = expect.stringMatching(/\S/);
const short = expect.stringMatching(/^(grok|claude|gpt|gemini)$/);
const digest = expect.stringMatching(/^[0-9a-f]{64}$/);

/** Checks a completed report field by field. */
export function expectCompletedReport(report: any): void {
  expect(report).toMatchObject({
    id: expect.any(Number),
    event_id: text,
    event_title: text,
    status: 'completed',
    action: expect.stringMatching(/^(BUY_YES|BUY_NO|SKIP)$/),
    summary: text,
    created_at: timestamp,
    completed_at: timestamp,
    queried_market: text,
    progress: null,
    failure: null,
    lane: 'credits',
    cached: expect.any(Boolean),
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
    models: expect.arrayContaining([short]),
    chairman: short,
    degraded: false,
    provider_failures: {},
    most_likely_outcome: text,
    most_likely_source: expect.stringMatching(/^(council|market_implied)$/),
    consensus_market_conflict: expect.any(Boolean),
    exclusive: expect.any(Boolean),
    simulated: true,
    prices_at: timestamp,
    method: { name: text, pooling: text, thresholds: expect.any(Object) },
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
}

function expectEstimate({ estimate, market_probabilities, exclusive }: any): void {
  expect(estimate).toMatchObject({ method: 'estimate/1', weights: { id: text, sha256: digest } });
  expect(Object.keys(estimate.probabilities)).toEqual(Object.keys(market_probabilities));
  const tenths = percentsOf(estimate.probabilities).map(percent => Math.round(percent * 10));
  if (exclusive) expect(tenths.reduce((sum, each) => sum + each, 0)).toBe(1_000);
}

function expectBet(bet: any, estimate: Record<string, number>): void {
  expect(bet).toEqual({
    side: expect.stringMatching(/^BUY_(YES|NO)$/),
    market: text,
    kind: expect.stringMatching(/^(edge|pick)$/),
    yes_price: expect.any(Number),
    share_cost: expect.any(Number),
    consensus_probability: expect.any(Number),
    market_implied_probability: expect.any(Number),
    edge_points: expect.any(Number),
    win_probability: expect.any(Number),
    payout_per_dollar: expect.any(Number),
    expected_return_per_dollar: expect.any(Number),
    slug: expect.stringMatching(/^\S+$/),
  });
  for (const percent of [bet.consensus_probability, bet.market_implied_probability, bet.win_probability])
    expectPercent(percent);
  for (const price of [bet.yes_price, bet.share_cost]) {
    expect(price).toBeGreaterThan(0);
    expect(price).toBeLessThan(1);
  }
  expect(String(bet.edge_points)).toMatch(/^-?\d+(\.\d)?$/);
  expect(bet.payout_per_dollar).toBeCloseTo((1 - bet.share_cost) / bet.share_cost, 3);
  expect(bet.expected_return_per_dollar).toBeCloseTo(bet.win_probability / 100 / bet.share_cost - 1, 1);
  const yes = estimate[bet.market] ?? Object.values(estimate)[0] ?? Number.NaN;
  expect(bet.win_probability).toBeCloseTo(bet.side === 'BUY_YES' ? yes : 100 - yes, 6);
}

function expectDeliberation(deliberation: any, runtime: any): void {
  const source = { model: short, attempts: expect.any(Number), latency_ms: expect.any(Number) };
  const outcomes = sorted(Object.keys(runtime.market_probabilities));
  const { opinions, cross_review, positions, synthesis, evidence } = deliberation;
  const ids = expectEvidence(evidence, runtime);
  expect(sorted(opinions.map(({ model }: any) => model))).toEqual(sorted(runtime.models));
  for (const opinion of opinions) {
    expect(opinion).toMatchObject({ ...source, confidence: expect.any(Number), rationale: text });
    for (const fact of opinion.evidence) expectFact(fact, ids);
    expect(sorted(opinion.distribution.map(({ outcome }: any) => outcome))).toEqual(outcomes);
  }
  expect(cross_review.reviews.length).toBeGreaterThan(0);
  for (const review of cross_review.reviews) {
    const others = sorted(runtime.models.filter((model: string) => model !== review.model));
    expect(review).toMatchObject({ ...source, revised_confidence: expect.any(Number) });
    expect(sorted(review.ranking)).toEqual(others);
    expect(sorted(review.revised_distribution.map(({ outcome }: any) => outcome))).toEqual(outcomes);
    for (const critique of review.critiques)
      expect(critique).toMatchObject({ model: short, strengths: text, weaknesses: text });
  }
  expect(sorted(cross_review.aggregate_ranking.map(({ model }: any) => model))).toEqual(
    sorted(runtime.models),
  );
  for (const place of cross_review.aggregate_ranking)
    expect(place).toMatchObject({ model: short, rank: expect.any(Number), score: expect.any(Number) });
  expect(sorted(positions.map(({ model }: any) => model))).toEqual(sorted(runtime.models));
  for (const position of positions) {
    expect(position).toMatchObject({
      model: short,
      moved_points: expect.any(Number),
      dissents: expect.any(Boolean),
    });
    expect(runtime.market_probabilities).toHaveProperty([position.most_likely_outcome]);
    for (const points of [position.most_likely_probability, position.distance_points]) expectPercent(points);
  }
  expect(synthesis).toMatchObject({ ...source, model: runtime.chairman, summary: text });
  for (const list of ['agreements', 'disagreements', 'key_uncertainties'])
    expect(Array.isArray(synthesis[list])).toBe(true);
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
  expect(evidence).toMatchObject({
    status: expect.stringMatching(/^(searched|partial|none)$/),
    as_of: runtime.prices_at,
    searches: expect.any(Number),
  });
  for (const count of Object.values(evidence.removed)) expect(String(count)).toMatch(/^\d+$/);
  for (const item of evidence.items) {
    expect(item).toMatchObject({ text, domain: text, url: expect.stringMatching(/^https:/) });
    expect(item).toMatchObject({ retrieved_at: timestamp, found_by: expect.arrayContaining([short]) });
    expect(item.published_at ?? '2031-01-01').toMatch(/^\d{4}-\d\d-\d\d$/);
  }
  return ids;
}

function expectFact(fact: any, ids: readonly string[]): void {
  expect(fact).toEqual({ fact: text, sources: expect.any(Array) });
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
