import { stakes } from '../../../council/conclusion/stakes.js';
import type { Resolution } from '../../../council/event.js';
import { councilModels } from '../../../council/models.js';
import { at } from '../../../council/numbers.js';
import type { EvidenceSummary } from '../../../council/report.js';
import { refreshTrackRecord } from '../../../db/track-record/track-record.js';
import { gradeForecast } from '../../../record/grades/grade.js';
import type { RecordedBet, RecordedForecast } from '../../../record/recorded-forecast.js';
import { bet, twoSided } from '../../record/grade-fixtures.js';
import type { TestDatabase } from '../service/test-database.js';
import { plantGrades, plantReports } from './plant-record.js';
import { linear } from './random-record.js';

/** The largest error of each, in percentage points. */
interface Skills {
  readonly council: number;
  readonly market: number;
}

/**
 * The record of a council and a market that both have skill: yes/no questions with a known probability, every
 * fifth event with two reports, some unresolved, void, fifty-fifty, disputed or without a price.
 * Deterministic.
 */
export async function plantTrackRecord(
  database: TestDatabase,
  events: number,
  skills: Skills = { council: 16, market: 13 },
): Promise<void> {
  const made = makeReports(events, skills);
  const forecasts = await plantReports(
    database,
    made.map(({ forecast }) => forecast),
  );
  const grades = forecasts.flatMap((forecast, index) => {
    const grade = gradeForecast(forecast, { 'm-Rain': made[index]?.resolution ?? 'unresolved' });
    return grade === 'pending' ? [] : [{ reportId: forecast.report_id, grade }];
  });
  if (grades.length > 0) await plantGrades(database, grades);
  await refreshTrackRecord(database.db, true, new Date());
}

interface Made {
  readonly forecast: RecordedForecast;
  readonly resolution: Resolution;
}

function makeReports(events: number, skills: Skills): Made[] {
  const random = linear(events + 7);
  const off = (by: number) => (random() + random() - 1) * by;
  const near = (percent: number, by: number) =>
    Math.round(Math.min(98, Math.max(2, percent + off(by))) * 10) / 10;
  return Array.from({ length: events }, (_, index) => {
    const truth = 4 + 92 * random();
    const resolution = resolutionOf(index, random() * 100 < truth);
    const reports = index % 5 === 0 ? 2 : 1;
    return Array.from({ length: reports }, () => {
      const council = near(truth, skills.council);
      const market = index % 17 === 16 ? null : near(truth, skills.market);
      const members = Object.fromEntries(
        councilModels.slice(index % 9 === 0 ? 1 : 0).map(model => [model, near(council, 9)]),
      );
      const forecast = forecastOf(`planted-${index}`, council, market, members);
      return { resolution, forecast: { ...forecast, evidence: evidenceOf(index), ...baseRates(council) } };
    });
  }).flat();
}

/** Two of three events were searched for, some in vain; no search failed. */
function evidenceOf(index: number): EvidenceSummary | null {
  if (index % 3 === 0) return null;
  const items = index % 7 === 0 ? 0 : 5;
  return { status: items === 0 ? 'none' : 'searched', items, sha256: 'e'.repeat(64) };
}

/** What the members’ base rates say: halfway to no opinion at all. */
function baseRates(council: number): Partial<RecordedForecast> {
  const probability = Math.round((council + 50) * 5) / 10;
  return { outside_view: [{ outcome: 'Yes', probability, members: ['claude', 'gpt'] }] };
}

function resolutionOf(index: number, happened: boolean): Resolution {
  const odd: readonly Resolution[] = ['unresolved', 'void', 'fifty_fifty', 'disputed', 'unresolved'];
  const place = index % 25;
  return place >= 20 ? (odd[place - 20] ?? 'unresolved') : happened ? 'yes' : 'no';
}

const edgePoints = 5;

function forecastOf(
  eventId: string,
  council: number,
  market: number | null,
  members: RecordedForecast['outcomes'][number]['members'],
): RecordedForecast {
  const edge = market === null ? 0 : council - market;
  const side = edge > 0 ? 'BUY_YES' : 'BUY_NO';
  const cost = market === null ? 0.5 : Math.round(side === 'BUY_YES' ? market + 1 : 101 - market) / 100;
  const prices = { share_cost: cost, payout_per_dollar: (1 - cost) / cost };
  const wins = market === null ? 50 : side === 'BUY_YES' ? market + 2 : 102 - market;
  const kind = Math.abs(edge) >= edgePoints ? 'edge' : 'pick';
  const estimate = market === null ? null : Math.round(2 * council + 8 * market) / 10;
  const planted = twoSided(council, market, members, {
    event_id: eventId,
    degraded: Object.keys(members).length < councilModels.length,
    conflict: Math.abs(edge) >= 2.2 * edgePoints,
    action: kind === 'edge' ? side : 'SKIP',
    record: 'record/2',
    bets:
      market === null
        ? []
        : [staked(bet('Rain', { side, kind, ...prices, win_probability: Math.round(wins) }))],
  });
  const first = council > 50 ? council - 3 : council + 3;
  const ofSide = (percent: number, index: number) => (index === 0 ? percent : 100 - percent);
  return {
    ...planted,
    outcomes: planted.outcomes.map((outcome, index) => ({
      ...outcome,
      estimate: estimate === null ? null : ofSide(estimate, index),
      first_council: ofSide(first, index),
      first_members: outcome.members,
    })),
  };
}

function staked(one: RecordedBet): RecordedBet {
  return { ...one, stake_fraction: at(stakes([one], true), 0) };
}
