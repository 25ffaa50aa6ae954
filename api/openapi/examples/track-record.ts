import type {
  CalibrationBinView,
  TrackRecordRowView,
  TrackRecordView,
} from '../../../contract/track-record.js';
import { trackRecordVerdict } from '../../../record/figures/record-verdict.js';
import { figuresVersion } from '../../../record/figures/track-record.js';
import { evidenceSummaryExample } from './deliberation.js';
import { weightsSha256Example } from './report.js';

/** The rounded, consistent figures of 48 invented reports. */

type Figures = TrackRecordView['council'];
type ScoreSummary = TrackRecordView['first_report_per_event'];
type Returns = TrackRecordView['bets']['by_kind']['edge'];

const none: Figures = figures([null, null, null], 0, 0);
const noScoreSummary: ScoreSummary = scoreSummary(none, none, noMean());
const noEvidenceFigures: TrackRecordView['by_evidence']['none'] = {
  ...noScoreSummary,
  estimate: none,
  market_distance_points: { n: 0, events: 0, mean: null, interval_95: null },
};
const council = figures([0.4737, 0.7111, 0.6875], 48, 41);
const market = figures([0.4409, 0.635, 0.6042], 48, 41);
const all = scoreSummary(council, market, mean(0.0327, [-0.0169, 0.0827], [-0.0647, 0.1301]));
const estimateDifference = {
  n: 48,
  events: 41,
  ...mean(0.0014, [-0.0111, 0.0133], [-0.0484, 0.0512]),
  estimate_brier: 0.4423,
  market_brier: market.brier,
};
const edges: Returns = {
  n: 16,
  events: 13,
  mean_return_per_dollar: 0.0662,
  interval_95: [-0.5354, 0.63],
  confidence_sequence_95: [-1.5108, 1.6432],
  claims: {
    n: 16,
    events: 13,
    ...mean(-0.0487, [-0.3077, 0.2051], [-0.75, 0.6526]),
    claimed_win_rate: 0.5615,
    actual_win_rate: 0.5128,
    claimed_return_per_dollar: 0.1208,
    actual_return_per_dollar: 0.0662,
  },
};
const noBets: Returns = {
  n: 0,
  events: 0,
  mean_return_per_dollar: null,
  interval_95: null,
  confidence_sequence_95: null,
  claims: {
    n: 0,
    events: 0,
    ...noMean(),
    claimed_win_rate: null,
    actual_win_rate: null,
    claimed_return_per_dollar: null,
    actual_return_per_dollar: null,
  },
};
const bets = { ...edges, by_kind: { edge: edges, pick: noBets } };

export const trackRecordExample: TrackRecordView = {
  simulated: true,
  figures_version: figuresVersion,
  as_of: '2026-11-21T09:00:00.000Z',
  record: { entries: 55, head: '1d01a36422bcc2fa0cc73691fe521234d5adbea7330f0413b73fe5a750785ac5' },
  counts: { completed: 55, graded: 48, pending: 6, void: 1, fifty_fifty: 0, disputed: 0, failed: 2 },
  events: 41,
  council,
  market,
  blend: figures([0.4463, 0.6463, 0.6042], 48, 41),
  estimate: figures([0.4423, 0.6377, 0.6042], 48, 41),
  paired_difference: all.paired_difference,
  estimate_difference: estimateDifference,
  review: {
    n: 48,
    events: 41,
    ...mean(-0.0052, [-0.0161, 0.0049], [-0.0532, 0.0428]),
    council_brier: council.brier,
    first_council_brier: 0.4789,
  },
  skill: -0.0742,
  calibration: [
    bin(0, 7, 7, 0.0711, 0.2857, [0.0822, 0.6411]),
    bin(1, 4, 4, 0.1313, 0.5, [0.15, 0.85]),
    bin(2, 5, 5, 0.273, 0.4, [0.1176, 0.7693]),
    bin(3, 5, 5, 0.3306, 0.6, [0.2307, 0.8824]),
    bin(4, 2, 2, 0.478, 0, [0, 0.6576]),
    bin(5, 6, 5, 0.5598, 0.6, [0.2307, 0.8824]),
    bin(6, 6, 6, 0.655, 0.6667, [0.3, 0.9032]),
    bin(7, 5, 5, 0.753, 0.8, [0.3755, 0.9638]),
    bin(8, 5, 5, 0.837, 1, [0.5655, 1]),
    bin(9, 3, 3, 0.97, 0.6667, [0.2077, 0.9385]),
  ],
  by_model: {
    claude: figures([0.4797, 0.6938, 0.6458], 48, 41),
    gpt: figures([0.4674, 0.6959, 0.6458], 48, 41),
    gemini: figures([0.4605, 0.7123, 0.6667], 48, 41),
    grok: figures([0.4566, 0.6737, 0.6667], 48, 41),
    mean: figures([0.4636, 0.6854, 0.6875], 48, 41),
  },
  by_action: {
    BUY_YES: scoreSummary(
      figures([0.4744, 0.7265, 0.6875], 16, 13),
      figures([0.4676, 0.6569, 0.5], 16, 13),
      mean(0.0068, [-0.0989, 0.1357], [-0.241, 0.2546]),
    ),
    BUY_NO: noScoreSummary,
    SKIP: scoreSummary(
      figures([0.4733, 0.7034, 0.6875], 32, 31),
      figures([0.4276, 0.624, 0.6563], 32, 31),
      mean(0.0457, [0.0034, 0.0865], [-0.0784, 0.1698]),
    ),
  },
  by_flag: {
    degraded: scoreSummary(
      figures([0.4613, 0.8232, 0.7143], 7, 7),
      figures([0.4432, 0.6425, 0.7143], 7, 7),
      mean(0.0181, [-0.1049, 0.1641], [-0.3834, 0.4196]),
    ),
    not_degraded: scoreSummary(
      figures([0.4758, 0.6919, 0.6829], 41, 36),
      figures([0.4405, 0.6337, 0.5854], 41, 36),
      mean(0.0352, [-0.018, 0.0885], [-0.0879, 0.1583]),
    ),
    conflict: noScoreSummary,
    no_conflict: all,
  },
  by_evidence: {
    searched: {
      ...scoreSummary(
        figures([0.4661, 0.7024, 0.6979], 28, 24),
        figures([0.4387, 0.6318, 0.6042], 28, 24),
        mean(0.0274, [-0.0391, 0.0964], [-0.1378, 0.1926]),
      ),
      estimate: figures([0.4395, 0.6341, 0.6042], 28, 24),
      market_distance_points: { n: 28, events: 24, mean: 8.9083, interval_95: [6.8125, 11.1417] },
    },
    partial: noEvidenceFigures,
    none: noEvidenceFigures,
    not_searched: {
      ...scoreSummary(
        figures([0.4844, 0.7234, 0.6728], 20, 17),
        figures([0.444, 0.6395, 0.6042], 20, 17),
        mean(0.0404, [-0.0305, 0.1132], [-0.1711, 0.2519]),
      ),
      estimate: figures([0.4463, 0.6428, 0.6042], 20, 17),
      market_distance_points: { n: 20, events: 17, mean: 12.2647, interval_95: [9.3529, 15.4706] },
    },
  },
  bets,
  slice_adjustment: {
    by_model: 'none',
    by_action: 'bonferroni',
    by_flag: 'bonferroni',
    by_evidence: 'bonferroni',
    bets_by_kind: 'bonferroni',
  },
  first_report_per_event: scoreSummary(
    figures([0.4859, 0.7276, 0.6585], 41, 41),
    figures([0.4528, 0.6488, 0.5854], 41, 41),
    mean(0.033, [-0.0155, 0.0851], [-0.0644, 0.1304]),
  ),
  verdict_text: trackRecordVerdict({
    paired_difference: all.paired_difference,
    estimate_difference: estimateDifference,
    bets,
  }),
};

export const trackRecordRowExample: TrackRecordRowView = {
  report_id: 1,
  event_id: 'sample-fed-cut-2031',
  event_title: 'Will the Federal Reserve cut rates in March 2031?',
  category: 'Economy',
  method: 'council/1',
  models: { claude: 'claude-opus-5-5', gpt: 'gpt-6.1-sol' },
  completed_at: '2031-03-05T12:00:00.000Z',
  prices_at: '2031-03-05T11:59:00.000Z',
  state: 'graded',
  graded_at: '2031-03-20T00:00:00.000Z',
  grader: 'grader/1',
  exclusive: true,
  degraded: true,
  conflict: false,
  action: 'SKIP',
  queried_market: 'Will the Federal Reserve cut rates at its March 2031 meeting?',
  estimate_weights: { id: 'halawi-2024', sha256: weightsSha256Example },
  evidence: evidenceSummaryExample,
  headline: { outcome: 'No', percent: 62, source: 'council' },
  outcomes: [
    {
      name: 'Yes',
      market_id: 'sample-fed-cut-2031-yes',
      side: 'yes',
      council: 38,
      market: 30.1,
      members: { claude: 44, gpt: 31.7 },
      estimate: 31.2,
      first_council: 38.1,
      first_members: { claude: 47, gpt: 30 },
      happened: 1,
    },
    {
      name: 'No',
      market_id: 'sample-fed-cut-2031-yes',
      side: 'no',
      council: 62,
      market: 69.9,
      members: { claude: 56, gpt: 68.3 },
      estimate: 68.8,
      first_council: 61.9,
      first_members: { claude: 53, gpt: 70 },
      happened: 0,
    },
  ],
  scores: {
    council: { brier: 0.7688, log_score: 0.9676, hit: 0 },
    market: { brier: 0.9772, log_score: 1.2006, hit: 0 },
    blend: { brier: 0.9356, log_score: 1.1518, hit: 0 },
    mean: { brier: 0.7734, log_score: 0.9715, hit: 0 },
    members: {
      claude: { brier: 0.6272, log_score: 0.821, hit: 0 },
      gpt: { brier: 0.933, log_score: 1.1489, hit: 0 },
    },
    estimate: { brier: 0.9467, log_score: 1.1648, hit: 0 },
    first_council: { brier: 0.7663, log_score: 0.965, hit: 0 },
    first_members: {
      claude: { brier: 0.5618, log_score: 0.755, hit: 0 },
      gpt: { brier: 0.98, log_score: 1.204, hit: 0 },
    },
  },
  bets: [
    {
      market: 'Will the Federal Reserve cut rates at its March 2031 meeting?',
      side: 'BUY_NO',
      kind: 'pick',
      share_cost: 0.709,
      payout_per_dollar: 0.410437,
      win_probability: 68.8,
      market_id: 'sample-fed-cut-2031-yes',
      won: false,
      return_per_dollar: -1,
    },
  ],
};

function figures(
  [brier, log_score, hit_rate]: readonly [number | null, number | null, number | null],
  n: number,
  events: number,
): Figures {
  return { brier, log_score, hit_rate, n, events };
}

type Pair = readonly [low: number, high: number];

function mean(value: number, interval_95: Pair, confidence_sequence_95: Pair) {
  return { mean: value, interval_95, confidence_sequence_95 };
}

function noMean() {
  return { mean: null, interval_95: null, confidence_sequence_95: null };
}

function scoreSummary(
  ours: Figures,
  theirs: Figures,
  difference: Pick<TrackRecordView['paired_difference'], 'mean' | 'interval_95' | 'confidence_sequence_95'>,
): ScoreSummary {
  const { n, events } = ours;
  const briers = { council_brier: ours.brier, market_brier: theirs.brier };
  return { council: ours, market: theirs, paired_difference: { n, events, ...difference, ...briers } };
}

function bin(
  tenth: number,
  n: number,
  events: number,
  mean_probability: number,
  share_happened: number,
  interval_95: readonly [number, number],
): CalibrationBinView {
  return { from: tenth / 10, to: (tenth + 1) / 10, n, events, mean_probability, share_happened, interval_95 };
}
