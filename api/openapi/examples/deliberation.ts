import type {
  DeliberationView,
  EvidenceView,
  FactView,
  OpinionView,
  PositionView,
  ReviewView,
} from '../../../contract/deliberation.js';
import type { EvidenceSummaryView } from '../../../contract/runtime.js';
import type { CouncilModel } from '../../../council/models.js';
import { jsonSha256 } from '../../../db/digests.js';

const modelIds: Readonly<Record<CouncilModel, string>> = {
  claude: 'claude-opus-5-5',
  gpt: 'gpt-6.1-sol',
  gemini: 'gemini-3.1-pro-preview',
  grok: 'grok-4.7',
};

const strengths = 'Reads the rules with care.';
const weaknesses = 'Takes the latest news for the whole story.';

/** Two members found the first page, which is one source. */
const evidenceExample: EvidenceView = {
  status: 'searched',
  as_of: '2026-11-21T09:26:42.879Z',
  searches: 7,
  items: [
    {
      id: 'S1',
      text: 'The committee meets on 18 and 19 March 2031 and publishes its decision on the second day.',
      url: 'https://centralbank.example.org/calendar',
      domain: 'centralbank.example.org',
      title: 'Meeting calendar',
      published_at: null,
      retrieved_at: '2026-11-21T09:26:43.764Z',
      found_by: ['claude', 'gpt'],
    },
    {
      id: 'S2',
      text: 'Consumer prices rose 2.9 percent in the year to October.',
      url: 'https://statistics.example.org/prices/october',
      domain: 'statistics.example.org',
      title: 'Consumer prices in October',
      published_at: '2026-11-12',
      retrieved_at: '2026-11-21T09:26:43.592Z',
      found_by: ['grok'],
    },
  ],
  removed: { market_sources: 2, odds_statements: 3, duplicates: 1, other: 0 },
  failures: {},
};

export const evidenceSummaryExample: EvidenceSummaryView = {
  status: evidenceExample.status,
  items: evidenceExample.items.length,
  sha256: jsonSha256(evidenceExample),
};

const meeting: FactView = { fact: 'The decision is published on 19 March 2031.', sources: ['S1'] };
const inflation: FactView = { fact: 'Inflation was 2.9 percent in October.', sources: ['S2'] };

/** A member cites what it found itself, or what the others found if it found nothing. */
const cited: Readonly<Record<CouncilModel, readonly FactView[]>> = {
  claude: [meeting],
  gpt: [meeting],
  gemini: [meeting, inflation],
  grok: [inflation],
};

/** For a question with the outcomes Yes and No. */
export const deliberationExample: DeliberationView = {
  opinions: [
    opinion('claude', 33.4, 62, 1_211),
    opinion('gemini', 45.2, 62, 1_451),
    opinion('gpt', 41.9, 55, 854),
    opinion('grok', 39, 63, 643),
  ],
  cross_review: {
    reviews: [
      review('claude', ['gpt', 'gemini', 'grok'], 36, 65, 1_150),
      review('gemini', ['grok', 'claude', 'gpt'], 43.1, 65, 1_389),
      review('gpt', ['grok', 'gemini', 'claude'], 41.1, 58, 1_208),
      review('grok', ['gpt', 'gemini', 'claude'], 39.4, 66, 1_522),
    ],
    aggregate_ranking: [
      { model: 'gpt', rank: 1, score: 0.6667, ballots: 3 },
      { model: 'grok', rank: 2, score: 0.6667, ballots: 3 },
      { model: 'gemini', rank: 3, score: 0.5, ballots: 3 },
      { model: 'claude', rank: 4, score: 0.1667, ballots: 3 },
    ],
  },
  positions: [
    position('claude', 64, 2.6, 3.9),
    position('gpt', 58.9, 0.8, 1.2),
    position('gemini', 56.9, 2.1, 3.2),
    position('grok', 60.6, 0.4, 0.5),
  ],
  synthesis: {
    model: 'claude',
    model_id: modelIds.claude,
    attempts: 1,
    latency_ms: 646,
    summary: 'The members stand close together and differ in how far they trust the same signs.',
    agreements: ['The rules of the event decide it, and they are clear.'],
    disagreements: ['How much the latest figures on inflation can carry.'],
    key_uncertainties: ['Which data are published before the meeting.'],
  },
  evidence: evidenceExample,
};

function opinion(model: CouncilModel, yes: number, confidence: number, latency_ms: number): OpinionView {
  return {
    model,
    model_id: modelIds[model],
    attempts: 1,
    latency_ms,
    distribution: distribution(yes),
    confidence,
    rationale: 'Cuts are rare while inflation is above the target, and the committee has spoken of patience.',
    evidence: [
      ...cited[model],
      { fact: 'The committee rarely cuts while inflation is above its target.', sources: [] },
    ],
  };
}

function review(
  model: CouncilModel,
  ranking: readonly CouncilModel[],
  yes: number,
  revised_confidence: number,
  latency_ms: number,
): ReviewView {
  return {
    model,
    model_id: modelIds[model],
    attempts: 1,
    latency_ms,
    ranking,
    critiques: ranking.map(other => ({ model: other, strengths, weaknesses })),
    revised_distribution: distribution(yes),
    revised_confidence,
  };
}

function position(model: CouncilModel, no: number, moved: number, distance: number): PositionView {
  return {
    model,
    most_likely_outcome: 'No',
    most_likely_probability: no,
    moved_points: moved,
    distance_points: distance,
    dissents: false,
  };
}

/** In integer tenths, which avoids floating-point noise. */
function distribution(yes: number) {
  return [
    { outcome: 'Yes', probability: yes },
    { outcome: 'No', probability: (1_000 - Math.round(yes * 10)) / 10 },
  ];
}
