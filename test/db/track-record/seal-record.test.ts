import { describe, expect, test } from '@jest/globals';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { type PublicEntry, readPublicChain } from '../../../db/track-record/public-chain.js';
import { sealRecord } from '../../../db/track-record/seal-record.js';
import { readCounts } from '../../../db/track-record/track-record.js';
import { verifyRecord } from '../../../db/track-record/verify-record.js';
import { openingGraceDays } from '../../../record/recorded-sale.js';
import { until } from '../../support/until.js';
import { buy, finish, refund, sell, snapshot } from '../support/purchases.js';
import { completeAs100 } from '../support/release-1.0.0.js';
import { inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

/** A run whose market is frozen with the sale, as the service sells it. */
const sold = () => sell(world, {}, { firstStage: { stage: 'opinions', of: 4 } });
const failed = async () => {
  const run = await sold();
  await refund(world.db, run);
  return run;
};

const entriesOf = (reportId: number) =>
  world.sql(
    `select version, kind, seq, sale_seq, payload, opens_by, created_at from record_entries where report_id = $1 order by seq`,
    [reportId],
  );
const kindsOf = async (reportId: number) => (await entriesOf(reportId)).map(({ kind }) => kind);
const unsealed = () => world.sql('select report_id, kind from unsealed_entries order by id');

/** Expects a chain without a gap that agrees with the reports. @returns the number of its entries */
async function expectWhole(): Promise<number> {
  const { entries, faults } = await verifyRecord(world.db);
  expect(faults).toEqual([]);
  const [{ last }] = await world.sql('select max(seq) as last from record_entries');
  expect(entries).toBe(last);
  return entries;
}

describe('a sale', () => {
  test('has its entry, which names event and rules, and the end of its run names it', async () => {
    const { reportId, eventId } = await sold();
    await finish(world.db, reportId);
    await sealRecord(world.db);
    const [sale, end, ...more] = await entriesOf(reportId);
    expect(more).toEqual([]);
    expect([sale.kind, end.kind, end.sale_seq]).toEqual(['sold', 'completed', sale.seq]);
    expect(JSON.parse(sale.payload)).toEqual({
      record: 'sale/1',
      report_id: reportId,
      event_id: eventId,
      event_title: snapshot.event.title,
      rules: snapshot.event.description,
      resolution_source: null,
      closes_at: snapshot.event.closesAt,
      market_ids: snapshot.event.markets.map(({ marketId }) => marketId),
      market_rules_sha256: null,
      sold_at: noon.toISOString(),
    });
    expect(end.opens_by).toEqual(sale.opens_by);
    await expectWhole();
  });

  test('that fails has both entries, and the failure opens at once', async () => {
    const { reportId } = await failed();
    await sealRecord(world.db);
    const [sale, end] = await entriesOf(reportId);
    expect([sale.kind, end.kind, end.sale_seq]).toEqual(['sold', 'failed', sale.seq]);
    expect(JSON.parse(end.payload)).toEqual({
      record: 'failure/1',
      report_id: reportId,
      code: 'quorum_lost',
    });
    expect(end.opens_by).toEqual(end.created_at);
    await expectWhole();
  });

  test('that is refused leaves no row, and neither does a cached or an owned one', async () => {
    const { accountId, eventId, reportId } = await sold();
    await finish(world.db, reportId);
    await sealRecord(world.db);
    const poor = await world.openAccount(0);
    expect(await buy(world.db, { accountId: poor, eventId: await world.openEvent() })).toMatchObject({
      refused: 'insufficient_credits',
    });
    expect(await buy(world.db, { accountId, eventId })).toMatchObject({ kind: 'owned' });
    const other = await world.openAccount(1_000);
    expect(await buy(world.db, { accountId: other, eventId })).toMatchObject({ kind: 'cached' });
    expect(await unsealed()).toEqual([]);
    expect(await kindsOf(reportId)).toEqual(['sold', 'completed']);
  });

  test('waits for nobody who seals, and neither does the end of a run', async () => {
    const { reportId } = await sold();
    await world.together(async sealer => {
      await sealer.query('select pg_advisory_xact_lock(7107005), pg_advisory_xact_lock_shared(7107002)');
      await finish(world.db, reportId);
      await failed();
      expect(await unsealed()).toHaveLength(4);
    });
    await sealRecord(world.db);
    await expectWhole();
  });
});

describe('the chain', () => {
  test('has no gap and loses nothing while 50 runs are sold and end, and four processes seal', async () => {
    const before = await expectWhole();
    const runs = { ended: false };
    const sealing = inParallel(4, async () => {
      while (!runs.ended) await sealRecord(world.db);
    });
    await inParallel(50, async index => {
      if (index % 3 === 0) return failed();
      const { reportId } = await sold();
      return finish(world.db, reportId);
    });
    runs.ended = true;
    await sealing;
    await sealRecord(world.db);
    expect(await expectWhole()).toBe(before + 100);
    expect(await unsealed()).toEqual([]);
  });

  test('loses nothing when a sealer dies before its commit', async () => {
    const { reportId } = await failed();
    await world.together(async blocker => {
      await blocker.query('lock table record_entries in exclusive mode');
      const dying = sealRecord(world.db);
      const died = expect(dying).rejects.toThrow();
      const waiting = `from pg_stat_activity where query like 'insert into "record_entries"%' and wait_event_type = 'Lock'`;
      await until('it waits', async () => (await world.sql(`select pid ${waiting}`)).length === 1);
      await world.sql(`select pg_terminate_backend(pid) ${waiting}`);
      await died;
    });
    expect(await unsealed()).toHaveLength(2);
    expect(await sealRecord(world.db)).toBe(2);
    expect(await kindsOf(reportId)).toEqual(['sold', 'failed']);
    await expectWhole();
  });

  test.each([
    'delete from unsealed_entries',
    `update unsealed_entries set kind = 'failed'`,
    'truncate unsealed_entries',
  ])('is the only place to which a row can go: rejects %s', async statement => {
    const { reportId } = await sold();
    await expect(world.sql(statement)).rejects.toThrow(/is not in the record|keeps its rows/);
    await sealRecord(world.db);
    expect(await kindsOf(reportId)).toEqual(['sold']);
  });

  test('is counted with what it has, so that counts and head agree', async () => {
    await sealRecord(world.db);
    const before = await readCounts(world.db, true);
    await finish(world.db, (await sold()).reportId);
    await failed();
    expect(await readCounts(world.db, true)).toEqual(before);
    await sealRecord(world.db);
    const after = await readCounts(world.db, true);
    const more = (kind: 'sold' | 'completed' | 'failed') => after[kind] - before[kind];
    expect([more('sold'), more('completed'), more('failed')]).toEqual([2, 1, 1]);
  });
});

describe('beside release 1.0.0', () => {
  test('both append to one chain without a gap, whichever ends a run', async () => {
    await inParallel(40, async index => {
      const { reportId } = await sold();
      if (index % 2 === 0) await completeAs100(world.db, reportId, noon);
      else await finish(world.db, reportId);
      await sealRecord(world.db);
    });
    await expectWhole();
  });

  test('a run that it completes before the sale is sealed has the one entry that it makes', async () => {
    const { reportId } = await sold();
    await completeAs100(world.db, reportId, noon);
    expect(await sealRecord(world.db)).toBe(0);
    expect(await entriesOf(reportId)).toMatchObject([{ version: 1, kind: 'completed', sale_seq: null }]);
    expect(await unsealed()).toEqual([]);
    await expectWhole();
  });

  test('a run that it completes after the sale is sealed is named as the end of the sale, and opens with it', async () => {
    const { reportId } = await sold();
    await sealRecord(world.db);
    await completeAs100(world.db, reportId, noon);
    const [sale] = await entriesOf(reportId);
    const hidden = await publicEntriesOf(reportId, noon);
    expect(hidden).toMatchObject([{ payload: null }, { version: 1, saleSeq: sale.seq, payload: null }]);
    const open = await publicEntriesOf(reportId, sale.opens_by);
    expect(open.map(({ payload }) => payload)).not.toContain(null);
    await expectWhole();
  });
});

async function publicEntriesOf(reportId: number, now: Date): Promise<PublicEntry[]> {
  const entries = await entriesOf(reportId);
  const pages = entries.map(({ seq }) => readPublicChain(world.db, { after: seq - 1, limit: 1, now }));
  return (await Promise.all(pages)).flat();
}

describe('an entry', () => {
  test('is hidden before its opens_by while the event is open, and public for good from then on', async () => {
    const { reportId } = await sold();
    await finish(world.db, reportId);
    await sealRecord(world.db);
    const [{ opens_by: opensBy }] = await entriesOf(reportId);
    const closesAt = Date.parse(snapshot.event.closesAt ?? '');
    expect(opensBy.getTime()).toBe(closesAt + openingGraceDays * 24 * 3_600_000);
    const before = await publicEntriesOf(reportId, later({ ms: -1 }, opensBy));
    expect(before).toMatchObject([
      { kind: 'sold', payload: null, salt: null, isFinal: false },
      { kind: 'completed', payload: null, salt: null, isFinal: false },
    ]);
    const after = await publicEntriesOf(reportId, opensBy);
    expect(after).toMatchObject([
      { kind: 'sold', payload: expect.stringContaining('sale/1'), isFinal: true },
      { kind: 'completed', payload: expect.any(String), isFinal: true },
    ]);
  });

  test('that waits to be sealed for more than a minute is a fault', async () => {
    await sealRecord(world.db);
    await failed();
    const [{ at }] = await world.sql('select min(occurred_at) as at from unsealed_entries');
    const faultsAt = async (now: Date) =>
      (await auditBooks(world.db, now)).drift.filter(fault => fault.includes('are not sealed'));
    expect(await faultsAt(later({ seconds: 60 }, at))).toEqual([]);
    expect(await faultsAt(later({ seconds: 61 }, at))).toEqual([
      expect.stringMatching(/^2 entries of the record are not sealed, the oldest since /),
    ]);
    await sealRecord(world.db);
  });

  test('that is hidden past the time that the sale promised is a fault of the audit and of the verification', async () => {
    const { reportId } = await sold();
    await finish(world.db, reportId);
    await sealRecord(world.db);
    const [sale, end] = await entriesOf(reportId);
    const openBy = (seq: number, at: Date | string) =>
      behindTheGuards(`update record_entries set opens_by = $2 where seq = $1`, [seq, at]);
    await openBy(sale.seq, '2020-01-01T00:00Z');
    const hidden = [
      expect.stringMatching(`^entry ${end.seq} of the record is hidden, although it opens by 2020-`),
    ];
    const overdueIn = (faults: readonly string[]) => faults.filter(fault => fault.includes('is hidden'));
    expect(overdueIn((await auditBooks(world.db, noon)).drift)).toEqual(hidden);
    const { faults } = await verifyRecord(world.db);
    expect(overdueIn(faults)).toEqual(hidden);
    expect(faults).toContain(`entry ${end.seq} does not name the sale of report ${reportId}`);
    await openBy(sale.seq, sale.opens_by);
    await expectWhole();
  });

  test('of a sale that is stored otherwise now is a fault', async () => {
    const { reportId } = await sold();
    await sealRecord(world.db);
    const put = (from: string, to: string) =>
      behindTheGuards(`update reports set event = replace(event::text, $2, $3)::json where id = $1`, [
        reportId,
        from,
        to,
      ]);
    await put('"marketId":"', '"marketId":"another-');
    expect((await verifyRecord(world.db)).faults).toEqual([
      `report ${reportId} has another sale than the record`,
    ]);
    await put('"marketId":"another-', '"marketId":"');
    await expectWhole();
  });
});

/** Runs a statement without triggers, as the owner of the database could. */
async function behindTheGuards(statement: string, values: readonly unknown[]): Promise<void> {
  await world.together(async owner => {
    for (const table of ['record_entries', 'reports'])
      await owner.query(`alter table ${table} disable trigger user`);
    await owner.query(statement, [...values]);
    for (const table of ['record_entries', 'reports'])
      await owner.query(`alter table ${table} enable trigger user`);
  });
}
