import { expect, test } from '@jest/globals';
import { readHouseToday } from '../../../db/house/house-day.js';
import { recordProviderCall } from '../../../db/pricing/provider-calls.js';
import { until } from '../../support/until.js';
import { answeredCall, bought, buy } from '../support/purchases.js';
import { inParallel, noon, useTestWorld } from '../support/test-world.js';

/** Ceilings far above what the day has taken, under which sales do not wait for each other. */
const world = useTestWorld();

/** What a run is expected to cost while none has completed. */
const runUsdMicros = 400_000;

/** As many sales can be decided at once. */
const sessions = async () => {
  const [{ max_connections }] = await world.sql('show max_connections');
  return Number(max_connections);
};

const sell = async (houseLimitUsdMicros: number, simulated: boolean, grantLimitUsdMicros = Infinity) =>
  buy(
    world.db,
    { accountId: await world.openAccount(500), eventId: await world.openEvent() },
    { policy: { houseLimitUsdMicros, grantLimitUsdMicros }, simulated },
  );

test('a sale waits for no other, until as many as there are sessions could reach the ceiling', async () => {
  const limit = (await sessions()) * runUsdMicros + 1;
  await world.together(async other => {
    await other.query('select pg_advisory_xact_lock_shared(7107004)');
    expect(await sell(limit, true)).toMatchObject({ kind: 'fresh' });
    const waiting = sell(limit, true);
    await until('the sale waits', async () => {
      const [{ waits }] = await world.sql(
        `select count(*) as waits from pg_locks join pg_database on pg_database.oid = database
         where datname = current_database() and objid = 7107004 and not granted`,
      );
      return waits === 1;
    });
    await other.query('commit');
    expect(await waiting).toMatchObject({ kind: 'fresh' });
  });
});

test('near the ceiling for weekly grants, a sale that none could pay waits for no other', async () => {
  await world.together(async other => {
    await other.query('select pg_advisory_xact_lock_shared(7107004)');
    expect(await sell(Infinity, true, runUsdMicros)).toMatchObject({ pool: 'purchased' });
    await other.query('commit');
  });
});

test('of sales at once that begin far below a ceiling, as many are charged as fit below it', async () => {
  const fit = (await sessions()) + 5;
  // In lanes, because a sale waits only some seconds for a connection.
  const lanes = 20;
  let [begun, charged] = [0, 0];
  await inParallel(lanes, async () => {
    while (begun++ < fit + lanes) {
      const outcome = await sell(fit * runUsdMicros, false);
      if (outcome !== 'fresh_needed' && 'kind' in outcome) charged++;
    }
  });
  expect(charged).toBe(fit);
});

test('a call that is recorded again counts once, and every one of many at once', async () => {
  const { reportId } = await bought(world.db, {
    accountId: await world.openAccount(500),
    eventId: await world.openEvent(),
  });
  const spent = async () =>
    (await readHouseToday(world.db, { simulated: true, now: noon })).all.spentUsdMicros;
  const calls = Array.from({ length: 40 }, (_, index) =>
    answeredCall(reportId, { costUsdMicros: 1_000, estimatedUsdMicros: index }),
  );
  await Promise.all([...calls, ...calls].map(call => recordProviderCall(world.db, call)));
  expect(await spent()).toBe(40_780);
  await world.sql(
    `insert into provider_calls (report_id, stage, model, model_id, outcome, latency_ms, simulated, called_at,
       cost_usd_micros)
     select $1, 'opinions', 'gpt', 'm', 'answered', 1, true, $2, 1 from generate_series(1, 100)`,
    [reportId, noon],
  );
  expect(await spent()).toBe(40_880);
});
