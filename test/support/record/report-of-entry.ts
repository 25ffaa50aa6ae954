import type { Evidence } from '../../../council/evidence.js';
import { hashedEvidence } from '../../../db/digests.js';
import type { RecordedForecast } from '../../../record/recorded-forecast.js';
import type { TestDatabase } from '../service/test-database.js';
import { shownGrounds } from './grounds.js';

/** Text that JavaScript and Python could write in different ways. */
export const found: Evidence = {
  status: 'searched',
  as_of: '2031-03-05T12:00:00.000Z',
  searches: 1,
  items: [
    {
      id: 'S1',
      text: 'Über "Rain" \\ / \u0000 \u001f \u007f \u2028 \n\t 🌧 \ud83c',
      url: 'https://news.example.org/',
      domain: 'news.example.org',
      title: null,
      published_at: null,
      retrieved_at: '2031-03-05T11:59:00.000Z',
      found_by: ['gpt'],
    },
  ],
  removed: { market_sources: 0, odds_statements: 0, duplicates: 0, other: 0 },
  failures: {},
};

/** The same forecast of a council that searched. */
export function searched(forecast: RecordedForecast): RecordedForecast {
  const added = { estimate: 55.5, first_council: 58, first_members: { claude: 58 } };
  const outcomes = forecast.outcomes.map(outcome => ({ ...outcome, ...added }));
  const more = {
    estimate_weights: null,
    evidence: { status: found.status, items: 1, sha256: hashedEvidence(found).sha256 },
  };
  return { ...forecast, ...more, outcomes };
}

/** What the API would send of the report of an entry. */
export async function reportOfEntry({ pool }: TestDatabase, seq: number) {
  const { rows } = await pool.query(
    `select payload, encode(hash, 'hex') as hash from record_entries where seq = $1`,
    [seq],
  );
  const { payload, hash } = rows[0];
  const forecast: RecordedForecast = JSON.parse(payload);
  const percents = (of: 'council' | 'market') =>
    Object.fromEntries(forecast.outcomes.map(outcome => [outcome.name, outcome[of]]));
  const { confidence, runtime, deliberation } = shownGrounds(forecast);
  return {
    id: forecast.report_id,
    status: 'completed',
    action: forecast.action as string,
    confidence,
    council_config: {
      runtime: {
        ...runtime,
        models: Object.keys(forecast.outcomes[0]?.first_members ?? {}),
        method: { name: forecast.method },
        exclusive: forecast.exclusive,
        degraded: forecast.degraded,
        consensus_market_conflict: forecast.conflict,
        market_probabilities: percents('council'),
        market_implied_probabilities: percents('market'),
        evidence: forecast.evidence,
        estimate: null,
      },
    },
    deliberation: { ...deliberation, evidence: forecast.evidence ? found : null },
    record: { seq, hash },
  };
}
