import { describe, expect, test } from '@jest/globals';
import { type ConcludeInput, conclude } from '../../../council/conclusion/conclude.js';
import { hasQuorum } from '../../../council/deliberation/members.js';
import type { Stage } from '../../../council/deliberation/stages.js';
import { type CouncilModel, councilModels } from '../../../council/models.js';
import { review, unanimous } from '../fixtures.js';
import { input, percents } from './conclude-input.js';

/** The same forecast and 60 % own confidence from all: by the number of members lost, at the opinions and the review. */
const confidences = { opinions: [68, 23.4, 9.9], cross_review: [68, 34, 34, 34, 34] };

describe.each(['opinions', 'cross_review'] as const)('models lost at %s', stage => {
  test.each(subsets().map(lost => [lost.join(' and ') || 'no model', lost] as const))('%s', (_, lost) => {
    const given = lostAt(stage, lost);
    if (!hasQuorum(Object.keys(given.opinions))) {
      expect(() => conclude(given)).toThrow('no conclusion without a quorum');
      return;
    }
    const { runtime, confidence } = conclude(given);
    expect(runtime.models).toEqual(councilModels.filter(model => model in given.opinions));
    expect(runtime.degraded).toBe(lost.length > 0);
    expect(Object.keys(runtime.provider_failures).sort()).toEqual([...lost].sort());
    expect(
      Object.values(runtime.provider_failures).every(
        text => text === `timed out after 30 s at ${stageNames[stage]}`,
      ),
    ).toBe(true);
    expect(runtime.market_probabilities).toEqual(percents);
    expect(confidence).toBe(confidences[stage][lost.length]);
  });
});

test('a degraded council needs 8 points for an edge: the worked example becomes a pick', () => {
  const { action, runtime } = conclude(lostAt('opinions', ['grok']));
  expect(action).toBe('SKIP');
  expect(runtime.top_bets).toMatchObject([{ kind: 'pick', market: 'Canada' }]);
});

test('a model without an answer and without a dropout counts as lost', () => {
  expect(conclude(input({ opinions: unanimous(['gpt', 'grok'], percents) })).runtime.degraded).toBe(true);
});

const stageNames = { opinions: 'opinions', cross_review: 'cross-review' };

function subsets(): CouncilModel[][] {
  return Array.from({ length: 16 }, (_, bits) => councilModels.filter((_, i) => (bits & (1 << i)) !== 0));
}

type MemberStage = Exclude<Stage, 'synthesis'>;

/** A report with these models lost at this stage and answers from all others. */
function lostAt(stage: MemberStage, lost: readonly CouncilModel[]): ConcludeInput {
  const healthy = councilModels.filter(model => !lost.includes(model));
  const opinions = unanimous(stage === 'opinions' ? healthy : councilModels, percents);
  const reviews = Object.fromEntries(
    healthy.filter(model => model in opinions).map(m => [m, review([], percents)]),
  );
  const dropouts = lost.map(model => ({ model, stage, kind: 'timed_out', waitedSeconds: 30 }) as const);
  return input({ opinions, reviews, dropouts, chairman: healthy[0] ?? 'claude' });
}
