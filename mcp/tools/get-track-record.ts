import { z } from 'zod';
import { recordText } from '../../contract/report-text/record-text.js';
import { type TrackRecordView, trackRecordShape } from '../../contract/track-record.js';
import { defineTool } from './tool.js';

const sections = [
  'calibration',
  'by_model',
  'by_action',
  'by_flag',
  'by_evidence',
  'by_category',
  'members',
  'first_report_per_event',
  'rules_unchanged',
] as const;
type Section = (typeof sections)[number];

const outputShape = z.object({
  ...trackRecordShape.omit({
    calibration: true,
    by_model: true,
    by_action: true,
    by_flag: true,
    by_evidence: true,
    by_category: true,
    members: true,
    first_report_per_event: true,
    rules_unchanged: true,
  }).shape,
  ...trackRecordShape
    .pick({
      calibration: true,
      by_model: true,
      by_action: true,
      by_flag: true,
      by_evidence: true,
      by_category: true,
      members: true,
      first_report_per_event: true,
      rules_unchanged: true,
    })
    .partial().shape,
});

type Result = z.output<typeof outputShape>;

export const getTrackRecord = defineTool({
  name: 'get_track_record',
  title: 'Read the public track record',
  description:
    'Reads how accurate past reports were: Brier and log scores of the council, of the market at the same moment, of ' +
    'their blend and of the estimate of both, each with n and events (each event has one vote); the paired differences ' +
    'with a 95 % confidence sequence; what cross-review was worth; base rates alone (outside_view); returns, claims and ' +
    'stakes of suggested bets; what a dollar ' +
    'staked against the prices has become (wealth, evidence that may be read at any time); and verdict_text, a sentence on what the figures show and what they do not.\n' +
    'Use it when the user asks whether the council is any good, and before any statement about its skill; quote ' +
    'verdict_text, and n with every figure. Do not use it for the outcome of one report (get_report, field grade). A ' +
    'small n is no evidence of skill or calibration.\n' +
    'Free, public, needs no API key, changes nothing. Figures are updated about hourly.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    sections: z
      .array(z.enum(sections))
      .default([])
      .describe(
        'Parts beyond the headline figures: "calibration" (bins with n), "by_model" (each member), "by_action", "by_flag" ' +
          '(degraded, conflict), "by_evidence" (searched, partial, none, not_searched: scores, and the distance of ' +
          'council and market in points), "by_category" (of the event), "members" (how alike they err, and the council ' +
          'without each), "first_report_per_event", "rules_unchanged" (without reports whose rules changed after the sale). slice_adjustment says which are adjusted for their number.',
      ),
  }),
  output: outputShape,
  run: async ({ sections: requested }, { api }) => withSections(await api.trackRecord.get(), requested),
  describe: describeTrackRecord,
});

function withSections(record: TrackRecordView, requested: readonly Section[]): Result {
  const { calibration, by_model, by_action, by_flag, by_evidence, by_category, members, ...others } = record;
  const { first_report_per_event, rules_unchanged, ...headline } = others;
  const groups = { calibration, by_model, by_action, by_flag, by_evidence, by_category };
  const parts = { ...groups, members, first_report_per_event, rules_unchanged };
  const included = Object.entries(parts).filter(([name]) => requested.some(section => section === name));
  return { ...headline, ...Object.fromEntries(included) };
}

function describeTrackRecord(record: Result): string {
  const { counts, bets, stakes, wealth, simulated, verdict_text, ...rest } = record;
  const parts = sections.flatMap(name =>
    rest[name] === undefined ? [] : [`${name}: ${JSON.stringify(rest[name])}`],
  );
  return [
    ...(simulated ? ['SIMULATED: no language model was called for these reports.'] : []),
    verdict_text,
    `Reports: ${counts.completed} completed, ${counts.graded} graded, ${counts.pending} pending, ${counts.void} void, ` +
      `${counts.fifty_fifty} fifty-fifty, ${counts.disputed} disputed, ${counts.failed} failed; ${rest.events} events graded.`,
    figures('Council', rest.council),
    figures('Market at the same moment', rest.market),
    figures('Blend of both', rest.blend),
    figures('Estimate of both, by learnt weights', rest.estimate),
    difference('Brier of council minus market', rest.paired_difference),
    difference('Brier of estimate minus market', rest.estimate_difference),
    figures('Base rates alone, on questions with two outcomes', rest.outside_view.outside_view),
    difference('Brier of council minus base rates alone', rest.outside_view.difference),
    difference('Value of cross-review, Brier of council minus first opinions', rest.review),
    `Bets: mean return a dollar ${bets.mean_return_per_dollar ?? 'none'}, 95 % confidence sequence ` +
      `${ends(bets.confidence_sequence_95)}, n = ${bets.n} bets of ${bets.events} events; claimed win rate ` +
      `${bets.claims.claimed_win_rate ?? 'none'}, actual ${bets.claims.actual_win_rate ?? 'none'}, n = ${bets.claims.n}.`,
    `Stakes: a dollar that follows them has become ${stakes.bankroll}; mean log growth an event ` +
      `${stakes.mean_log_growth ?? 'none'}, 95 % confidence sequence ${ends(stakes.confidence_sequence_95)}, ` +
      `n = ${stakes.n} bets of ${stakes.events} events.`,
    `Wealth, edge bets: ${wealth.edge_bets.text}`,
    `Wealth, estimate: ${wealth.estimate.text}`,
    `Wealth, council: ${wealth.council.text}`,
    ...(record.record.head === null
      ? []
      : [recordText({ seq: record.record.entries, hash: record.record.head })]),
    ...parts,
  ].join('\n');
}

function figures(name: string, { brier, log_score, hit_rate, n, events }: Result['council']): string {
  return `${name}: Brier ${brier ?? 'none'}, log score ${log_score ?? 'none'}, hit rate ${hit_rate ?? 'none'}, n = ${n} reports of ${events} events.`;
}

type Difference = Pick<Result['paired_difference'], 'n' | 'events' | 'mean' | 'confidence_sequence_95'>;

function difference(name: string, { n, events, mean, confidence_sequence_95: sequence }: Difference): string {
  return `${name}: ${mean ?? 'none'}, 95 % confidence sequence ${ends(sequence)}, n = ${n} reports of ${events} events.`;
}

function ends(bounds: readonly [number, number] | null): string {
  return bounds === null ? 'none' : `${bounds[0]} to ${bounds[1]}`;
}
