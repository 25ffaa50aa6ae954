import type { ReportSummaryView, ReportView } from '../../../contract/reports.js';
import type { BetView, RuntimeView } from '../../../contract/runtime.js';
import { runFailures } from '../../../council/report.js';
import { deliberationExample, evidenceSummaryExample } from './deliberation.js';

/** A real report of the service with shortened texts. Its numbers are consistent. */

const question = 'Will the Federal Reserve cut rates at its March 2031 meeting?';

/** Of the weights that the service begins with. */
export const weightsSha256Example = 'c9676f3e65413b11aea4bdd893250421bab67eab77102a0cdc94ccc833075af7';

const pick: BetView = {
  side: 'BUY_NO',
  market: question,
  kind: 'pick',
  yes_price: 0.42,
  share_cost: 0.602095,
  consensus_probability: 39.9,
  market_implied_probability: 42,
  edge_points: 1.3,
  win_probability: 59.3,
  payout_per_dollar: 0.660867,
  expected_return_per_dollar: -0.014878,
  slug: 'sample-fed-cut-2031-yes',
};

const runtimeExample: RuntimeView = {
  models: ['claude', 'gpt', 'gemini', 'grok'],
  chairman: 'claude',
  degraded: false,
  provider_failures: {},
  synthesis: { chairman: 'claude', replaced: [] },
  most_likely_outcome: 'No',
  most_likely_probability: 60.1,
  most_likely_source: 'council',
  consensus_market_conflict: false,
  market_probabilities: { Yes: 39.9, No: 60.1 },
  market_implied_probabilities: { Yes: 42, No: 58 },
  market_implied_basis: 'normalised',
  market_trustworthy: true,
  estimate: {
    probabilities: { Yes: 40.7, No: 59.3 },
    method: 'estimate/1',
    weights: {
      id: 'halawi-2024',
      sha256: weightsSha256Example,
      coefficients: { market: 0.733883, council: 0.369981, council_by_dispersion: 0.096452 },
    },
  },
  estimate_missing: null,
  evidence: evidenceSummaryExample,
  top_bets: [pick],
  best_edge: pick,
  exclusive: true,
  prices_at: '2026-11-21T09:26:42.879Z',
  quote_age_seconds: 3.72,
  simulated: true,
  method: {
    name: 'council/1',
    pooling: 'logarithmic pool (normalised geometric mean) of the members’ final forecasts, equal weights',
    thresholds: {
      quorum_opinions: 2,
      conflict_total_variation: 0.25,
      edge_min_points: 5,
      edge_min_return: 0.05,
      pick_min_return: -0.05,
    },
  },
};

export const summaryExample: ReportSummaryView = {
  id: 2,
  event_id: 'sample-fed-cut-2031',
  event_title: 'Will the Federal Reserve cut rates in March 2031?',
  status: 'completed',
  queried_market: question,
  action: 'SKIP',
  probability: 39.9,
  confidence: 64.1,
  lane: 'credits',
  cached: false,
  simulated: true,
  api_key_id: '3e417919-530a-4c24-9ef8-8a6c0fd1cfec',
  created_at: '2026-11-21T09:26:42.830Z',
  completed_at: '2026-11-21T09:26:46.599Z',
};

export const reportExample: ReportView = {
  ...summaryExample,
  summary: deliberationExample.synthesis?.summary ?? null,
  council_config: {
    requested: { models: ['grok', 'claude', 'gpt', 'gemini'] },
    runtime: runtimeExample,
  },
  deliberation: deliberationExample,
  market_snapshot: {
    taken_at: '2026-11-21T09:26:42.879Z',
    exclusive: true,
    can_grow: false,
    markets: [
      {
        market_id: 'sample-fed-cut-2031-yes',
        market: question,
        question: 'Will the Federal Reserve cut rates at its March 2031 meeting?',
        slug: 'sample-fed-cut-2031-yes',
        outcomes: ['Yes', 'No'],
        closes_at: '2031-03-19T18:00:00.000Z',
        status: 'open',
        resolution: 'unresolved',
        placeholder: false,
        other: false,
        best_bid: 0.41,
        best_ask: 0.43,
        last_trade: 0.42,
        volume: 1_842_310.42,
        taker_fee: { rate: 0.05, exponent: 1 },
      },
    ],
  },
  progress: null,
  failure: null,
  dropouts: [],
  grade: null,
  record: { seq: 2, hash: '1d01a36422bcc2fa0cc73691fe521234d5adbea7330f0413b73fe5a750785ac5' },
  disclaimer:
    'SIMULATED: no language model was asked; every answer was made up by a program. A forecast by language models, not financial advice.',
};

const unfinished: ReportView = {
  ...reportExample,
  action: null,
  probability: null,
  confidence: null,
  completed_at: null,
  summary: null,
  council_config: { ...reportExample.council_config, runtime: null },
  deliberation: null,
  market_snapshot: null,
  record: null,
};

export const runningExample: ReportView = {
  ...unfinished,
  status: 'processing',
  progress: { stage: 'cross_review', done: 2, of: 4, answered: ['gpt', 'grok'] },
};

export const researchingExample: ReportView = {
  ...unfinished,
  status: 'processing',
  progress: { stage: 'research', done: 1, of: 3, answered: ['grok'] },
};

export const failedExample: ReportView = {
  ...unfinished,
  status: 'failed',
  failure: { code: 'quorum_lost', detail: runFailures.quorum_lost },
  dropouts: [
    { model: 'claude', stage: 'opinions', kind: 'rate_limited', detail: 'rate limited at opinions' },
    { model: 'gpt', stage: 'opinions', kind: 'timed_out', detail: 'timed out after 35 s at opinions' },
    { model: 'gemini', stage: 'opinions', kind: 'unavailable', detail: 'was unavailable at opinions' },
  ],
};
