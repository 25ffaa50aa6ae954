import { sql } from 'kysely';
import type { Db } from '../../../db/database.js';
import { saveEvent } from '../../../db/reports/events.js';
import { createSampleEventSource } from '../../../markets/sample/sample-event-source.js';
import type { RecordedForecast } from '../../../record/recorded-forecast.js';

/** A closed sample event with one market. */
const eventId = 'sample-bridge-opening-2025';
const day = '2025-01-01T00:00:00.000Z';

/** Inserts completed, recorded reports on one closed event, with one statement per table. */
export async function seedReports(db: Db, count: number): Promise<void> {
  const event = await createSampleEventSource().get(eventId);
  const marketId = event?.markets[0]?.marketId;
  if (event === null || marketId === undefined) throw new Error(`sample event ${eventId} does not exist`);
  await saveEvent(db, event, new Date(day));
  await sql`insert into accounts (id, issuer, subject) values (gen_random_uuid(), 'bench', 'bench')`.execute(
    db,
  );
  await sql`
    insert into reports (account_id, event_id, event_title, utc_day, workflow_id, lane, simulated, status, seed,
      event, queried_market, prices_at, conclusion, dropouts, created_at, ended_at)
    select accounts.id, ${eventId}, 'Planted', date '2000-01-01' + n, 'bench', 'credits', true, 'completed', 's',
      ${JSON.stringify(event)}, 'A', ${day}, '{}', '[]', ${day}, ${day}
    from accounts, generate_series(1, ${count}::integer) as n`.execute(db);
  await sql`
    insert into record_entries (version, salt, seq, report_id, payload, previous_hash, hash, created_at)
    select 1, sha256(int8send(id)), row_number() over (order by id), id, replace(${JSON.stringify(forecast(marketId))}, '"report_id":0', '"report_id":' || id),
      sha256(convert_to('p' || id, 'UTF8')), sha256(convert_to('h' || id, 'UTF8')), ${day}
    from reports`.execute(db);
}

function forecast(marketId: string): RecordedForecast {
  const outcome = (name: string, side: 'yes' | 'no', council: number, market: number) => ({
    name,
    side,
    council,
    market,
    market_id: marketId,
    members: { claude: council, gpt: council - 2, gemini: council + 2, grok: council },
    estimate: market,
    first_council: council,
    first_members: { claude: council, gpt: council - 2, gemini: council + 2, grok: council },
  });
  return {
    record: 'record/1',
    report_id: 0,
    event_id: eventId,
    event_title: 'Planted',
    category: null,
    simulated: true,
    method: 'council/1',
    model_ids: {},
    prompt_sha256: '0'.repeat(64),
    answers_sha256: '0'.repeat(64),
    market_sha256: '0'.repeat(64),
    prices_at: day,
    completed_at: day,
    exclusive: true,
    degraded: false,
    conflict: false,
    action: 'SKIP',
    queried_market: 'A',
    headline: { outcome: 'Yes', percent: 62, source: 'council' },
    outcomes: [outcome('Yes', 'yes', 62, 55), outcome('No', 'no', 38, 45)],
    left_out: [],
    bets: [],
    estimate_weights: null,
    evidence: null,
  };
}
