import { describe, expect, test } from '@jest/globals';
import { presentReport } from '../../../api/present/report.js';
import { reportShape } from '../../../contract/reports.js';
import type { ConcludeInput } from '../../../council/conclusion/conclude.js';
import { conclude } from '../../../council/conclusion/conclude.js';
import type { Conclusion } from '../../../council/report.js';
import { deliberationOf } from '../../../db/reports/deliberation.js';
import type { OwnedReportRow } from '../../../db/reports/reports.js';
import { input } from '../../council/conclusion/conclude-input.js';

const row: Omit<OwnedReportRow, 'conclusion'> = {
  id: 1,
  eventId: 'cup-match',
  eventTitle: 'Who wins the match?',
  status: 'completed',
  simulated: false,
  stage: 'synthesis',
  stageOf: 1,
  queriedMarket: 'Canada',
  dropouts: [],
  failure: null,
  createdAt: new Date('2031-04-01T00:00:00Z'),
  endedAt: new Date('2031-04-01T00:01:00Z'),
  lane: 'credits',
  bought: 'fresh',
  apiKeyId: null,
};

/** As it was stored before members searched: without evidence, each fact as its text. */
function stored(overrides: Partial<ConcludeInput>) {
  const {
    evidence: _,
    runtime,
    ...rest
  } = conclude(input({ pricesAt: '2031-04-01T00:00:00.000Z', ...overrides }));
  const { evidence: __, ...older } = runtime;
  const conclusion: Conclusion = { ...rest, runtime: older };
  const opinion = {
    distribution: [{ outcome: 'Canada', probability: 100 }],
    confidence: 60,
    rationale: 'Form.',
    evidence: ['Canada won the last match.'],
  };
  const deliberation = deliberationOf([
    { stage: 'opinions', model: 'claude', modelId: 'm', answer: opinion, attempts: 1, latencyMs: 1 },
  ]);
  return { report: { ...row, conclusion }, deliberation };
}

describe.each([
  ['council/1', { method: 'council/1', weights: null }],
  ['council/2', {}],
] as const)('a report of %s that is older than evidence', (_, overrides) => {
  test('has no evidence, and its facts are the members’ own knowledge', () => {
    const parts = { market: null, grade: null, record: null, answered: [], etag: null };
    const report = presentReport({ ...stored(overrides), ...parts });
    expect(reportShape.safeParse(report).error).toBeUndefined();
    expect(report.council_config.runtime?.evidence).toBeNull();
    expect(report.deliberation?.evidence).toBeNull();
    expect(report.deliberation?.opinions[0]?.evidence).toEqual([
      { fact: 'Canada won the last match.', sources: [] },
    ]);
  });
});
