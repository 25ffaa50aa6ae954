import type { BetView, RuntimeView } from '../../../contract/runtime.js';

const pick: BetView = {
  side: 'BUY_NO',
  market: 'Will the Federal Reserve cut rates at its March 2031 meeting?',
  kind: 'pick',
  yes_price: 0.42,
  share_cost: 0.602095,
  consensus_probability: 39.9,
  market_implied_probability: 42,
  edge_points: 2.1,
  win_probability: 60.1,
  payout_per_dollar: 0.660867,
  expected_return_per_dollar: -0.001324,
  slug: 'sample-fed-cut-2031-yes',
};

export const runtimeExample: RuntimeView = {
  models: ['claude', 'gpt', 'gemini', 'grok'],
  chairman: 'claude',
  degraded: false,
  provider_failures: {},
  most_likely_outcome: 'No',
  most_likely_probability: 60.1,
  most_likely_source: 'council',
  consensus_market_conflict: false,
  market_probabilities: { Yes: 39.9, No: 60.1 },
  market_implied_probabilities: { Yes: 42, No: 58 },
  market_implied_basis: 'normalised',
  market_trustworthy: true,
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
    },
  },
};
