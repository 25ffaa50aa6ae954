import type { Resolution } from '../../council/event.js';
import type { CouncilModel } from '../../council/models.js';
import type { RecordedBet, RecordedForecast, RecordedOutcome } from '../../record/recorded-forecast.js';

type Members = Readonly<Partial<Record<CouncilModel, number>>>;

/** An outcome whose market has the id `m-<name>`. */
export function outcome(
  name: string,
  council: number,
  market: number | null = null,
  members: Members = {},
): RecordedOutcome {
  const first = { estimate: market, first_council: council, first_members: members };
  return { name, market_id: `m-${name}`, side: 'yes', council, market, members, ...first };
}

export function forecast(
  outcomes: readonly RecordedOutcome[],
  more: Partial<RecordedForecast> = {},
): RecordedForecast {
  return {
    record: 'record/1',
    report_id: 1,
    event_id: 'e1',
    event_title: 'Who wins the cup?',
    category: 'Sport',
    simulated: true,
    method: 'council/1',
    model_ids: { claude: 'claude-1', gpt: 'gpt-1' },
    prompt_sha256: 'a'.repeat(64),
    answers_sha256: 'b'.repeat(64),
    market_sha256: 'c'.repeat(64),
    prices_at: '2031-03-05T11:59:00.000Z',
    completed_at: '2031-03-05T12:00:00.000Z',
    exclusive: true,
    degraded: false,
    conflict: false,
    action: 'SKIP',
    queried_market: 'A',
    headline: { outcome: 'A', percent: 60, source: 'council' },
    outcomes,
    left_out: [],
    bets: [],
    estimate_weights: null,
    evidence: null,
    ...more,
  };
}

/** One market with both sides; percents are of its YES. */
export function twoSided(
  council: number,
  market: number | null = null,
  members: Members = {},
  more: Partial<RecordedForecast> = {},
): RecordedForecast {
  const no = Object.fromEntries(Object.entries(members).map(([model, percent]) => [model, 100 - percent]));
  const yes = outcome('Rain', council, market, members);
  const other = market === null ? null : 100 - market;
  return forecast(
    [
      { ...yes, name: 'Yes' },
      { ...outcome('Rain', 100 - council, other, no), name: 'No', side: 'no' },
    ],
    more,
  );
}

export function bet(market: string, more: Partial<RecordedBet> = {}): RecordedBet {
  return {
    market,
    market_id: `m-${market}`,
    side: 'BUY_YES',
    kind: 'edge',
    share_cost: 0.4,
    payout_per_dollar: 1.5,
    win_probability: 50,
    ...more,
  };
}

/** The resolutions of the markets of these outcomes. */
export function resolved(resolutions: Readonly<Record<string, Resolution>>): Record<string, Resolution> {
  return Object.fromEntries(
    Object.entries(resolutions).map(([name, resolutions]) => [`m-${name}`, resolutions]),
  );
}
