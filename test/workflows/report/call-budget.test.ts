import { describe, expect, test } from '@jest/globals';
import { CancelledFailure } from '@temporalio/common';
import { readDeliberation } from '../../../db/reports/deliberation.js';
import { refund } from '../../db/support/purchases.js';
import { until } from '../../support/until.js';
import { budgetMs, useAttempts } from '../support/model-attempts.js';

const { world, simulator, processing, attempt, recorded } = await useAttempts();

/** Lets every insert into a table fail, and counts as the owner of the sequence. @returns functions that count them and let them succeed again */
async function refuseRows(table: string) {
  await world.sql(`create sequence refused_rows`);
  await world.sql(`create function refuse_row() returns trigger language plpgsql security definer as
    $$ begin perform nextval('refused_rows'); raise exception 'the disk is full'; end $$`);
  await world.sql(
    `create trigger refuse before insert on ${table} for each row execute function refuse_row()`,
  );
  return {
    untilRefused: (times: number) =>
      until('rows are refused', async () => {
        const [row] = await world.sql('select last_value, is_called from refused_rows');
        return row.is_called && row.last_value >= times;
      }),
    accept: async () => {
      await world.sql(`drop trigger refuse on ${table}`);
      await world.sql('drop function refuse_row');
      await world.sql('drop sequence refused_rows');
    },
  };
}

describe("a member's time", () => {
  test('goes on where a lost attempt stopped, and ends its call', async () => {
    simulator.setFault({}, { kind: 'hang' });
    const { reportId } = await processing();
    const { ended } = attempt(reportId, { spentMs: budgetMs - 50, failedCalls: 0 });
    expect(await ended).toMatchObject({ type: 'timed_out', nonRetryable: true });
    const [call] = await recorded(reportId);
    expect(call).toMatchObject({ outcome: 'timed_out', paid: false });
    expect(call.latency_ms).toBeLessThan(budgetMs / 2);
  });

  test('that is used up leads to no further call', async () => {
    const { reportId } = await processing();
    const { ended, calls } = attempt(reportId, { spentMs: budgetMs, failedCalls: 0 });
    expect(await ended).toMatchObject({ type: 'timed_out', nonRetryable: true });
    expect(calls()).toEqual([]);
    expect(await recorded(reportId)).toEqual([]);
  });

  test.each([
    ['as long as the vendor asks for', '3', 0, 3_000],
    ['half a second if it asks for none', undefined, 0, 500],
    ['longer after each failed call', undefined, 3, 4_000],
    ['at most eight seconds', undefined, 9, 8_000],
  ])('includes the pause after a failed call: %s', async (_, retry_after, failedCalls, pauseMs) => {
    simulator.setFault(
      {},
      { kind: 'http', status: 429, ...(retry_after === undefined ? {} : { retry_after }) },
    );
    const { reportId } = await processing();
    const { ended, heartbeats } = attempt(reportId, { spentMs: 1_000, failedCalls });
    expect(await ended).toMatchObject({ type: 'rate_limited', nonRetryable: false, nextRetryDelay: pauseMs });
    const [call] = await recorded(reportId);
    const last: any = heartbeats.at(-1);
    expect(last.failedCalls).toBe(failedCalls + 1);
    expect(last.spentMs).toBeGreaterThanOrEqual(1_000 + pauseMs);
    expect(last.spentMs).toBeLessThanOrEqual(1_000 + pauseMs + call.latency_ms + 100);
  });

  test('ends with the failed call when no time is left after the pause', async () => {
    simulator.setFault({}, { kind: 'http', status: 429, retry_after: '3' });
    const { reportId } = await processing();
    const { ended } = attempt(reportId, { spentMs: budgetMs - 2_900, failedCalls: 1 });
    expect(await ended).toMatchObject({ type: 'rate_limited', nonRetryable: true });
  });
});

describe('an answer', () => {
  const roomsOf = ({ calls }: ReturnType<typeof attempt>) =>
    calls().map(({ limits }) => limits.maxOutputTokens);

  test('that is still invalid after its repair loses the member: no third one is asked for', async () => {
    simulator.setFault({}, { kind: 'unknown_outcome' });
    const { reportId } = await processing();
    const { ended, calls } = attempt(reportId);
    expect(await ended).toMatchObject({ type: 'invalid_answer', nonRetryable: true });
    expect(calls()).toHaveLength(2);
  });

  test('that is cut off at its length limit is requested once more with twice the room, and both are paid for', async () => {
    simulator.setFault({ times: 1 }, { kind: 'truncated' });
    const { reportId } = await processing();
    const only = attempt(reportId);
    expect(await only.ended).toBe('stored');
    expect(roomsOf(only)).toEqual([8_000, 16_000]);
    expect(await recorded(reportId)).toMatchObject([
      { outcome: 'invalid_answer', paid: true },
      { outcome: 'answered', paid: true },
    ]);
    const stored = world.sql('select attempts from stage_results where report_id = $1', [reportId]);
    expect(await stored).toEqual([{ attempts: 2 }]);
  });

  test('that is cut off gets more room once over all attempts of a step', async () => {
    simulator.setFault({ times: 1 }, { kind: 'truncated' });
    simulator.setFault({ times: 1 }, { kind: 'http', status: 503 });
    simulator.setFault({ times: 1 }, { kind: 'truncated' });
    const { reportId } = await processing();
    const first = attempt(reportId);
    expect(await first.ended).toMatchObject({ type: 'unavailable', nonRetryable: false });
    expect(roomsOf(first)).toEqual([8_000, 16_000]);
    const second = attempt(reportId, first.heartbeats.at(-1));
    expect(await second.ended).toMatchObject({ type: 'invalid_answer', details: ['truncated'] });
    expect(roomsOf(second)).toEqual([16_000]);
  });
});

describe('while storing fails, whatever the reason', () => {
  test('an answer is kept, and stored as soon as that succeeds', async () => {
    const { reportId } = await processing();
    const rows = await refuseRows('stage_results');
    const { ended, calls } = attempt(reportId);
    await rows.untilRefused(3);
    await rows.accept();
    expect(await ended).toBe('stored');
    expect(calls()).toHaveLength(1);
    expect(await recorded(reportId)).toMatchObject([{ outcome: 'answered', paid: true }]);
  });

  test('a useless answer is recorded before the repair is asked for, with its cost', async () => {
    simulator.setFault({ times: 1 }, { kind: 'wrong_sum' });
    const { reportId } = await processing();
    const rows = await refuseRows('provider_calls');
    const { ended, calls } = attempt(reportId);
    await rows.untilRefused(2);
    expect(calls()).toHaveLength(1);
    await rows.accept();
    expect(await ended).toBe('stored');
    expect(calls()).toHaveLength(2);
    expect(await recorded(reportId)).toMatchObject([{ paid: true }, { paid: true }]);
    const [stored] = await world.sql('select attempts from stage_results where report_id = $1', [reportId]);
    expect(stored.attempts).toBe(2);
  });

  test('a refusal is recorded with its cost, and stays the reason for which the member is lost', async () => {
    simulator.setFault({}, { kind: 'refusal' });
    const { reportId } = await processing();
    const rows = await refuseRows('provider_calls');
    const { ended, calls } = attempt(reportId);
    await rows.untilRefused(2);
    await rows.accept();
    expect(await ended).toMatchObject({ type: 'refused', nonRetryable: true });
    expect(calls()).toHaveLength(1);
    expect(await recorded(reportId)).toMatchObject([{ outcome: 'refused', paid: true }]);
  });

  test('a cancellation ends the activity', async () => {
    const { reportId } = await processing();
    const rows = await refuseRows('stage_results');
    const { environment, ended } = attempt(reportId);
    await rows.untilRefused(2);
    environment.cancel();
    expect(await ended).toBeInstanceOf(CancelledFailure);
    await rows.accept();
  });
});

describe('a run that has ended', () => {
  test('asks no model', async () => {
    const { reportId, accountId, purchaseId } = await processing();
    await refund(world.db, { accountId, purchaseId });
    const { ended, calls } = attempt(reportId);
    expect(await ended).toMatchObject({ type: 'internal', nonRetryable: true });
    expect(calls()).toEqual([]);
  });

  test('while a model answers has the cost of the answer recorded, and asks no more', async () => {
    const { reportId, accountId, purchaseId } = await processing();
    const release = simulator.hold({});
    const { ended, calls } = attempt(reportId);
    await until('the model is asked', () => calls().length === 1);
    await refund(world.db, { accountId, purchaseId });
    release();
    expect(await ended).toMatchObject({ type: 'internal', nonRetryable: true });
    expect(await recorded(reportId)).toMatchObject([{ outcome: 'answered', paid: true }]);
  });
});

describe('a search', () => {
  test('that a lost worker had stored is not paid for twice', async () => {
    const { reportId } = await processing();
    const first = attempt(reportId, undefined, 'research');
    const found = await first.ended;
    expect(found).toMatchObject({ model: 'claude', searches: expect.any(Number) });
    const second = attempt(reportId, { spentMs: 1_000, failedCalls: 0 }, 'research');
    expect(await second.ended).toEqual(found);
    expect([first.calls().length, second.calls().length]).toEqual([1, 0]);
    expect(await recorded(reportId)).toHaveLength(1);
  });

  test('goes on where a lost attempt stopped, and its time ends its call', async () => {
    simulator.setFault({}, { kind: 'hang' });
    const { reportId } = await processing();
    const { ended } = attempt(reportId, { spentMs: budgetMs - 50, failedCalls: 0 }, 'research');
    expect(await ended).toMatchObject({ type: 'timed_out', nonRetryable: true });
    expect(await recorded(reportId)).toMatchObject([{ outcome: 'timed_out', paid: false }]);
  });

  test('of text that no vendor should send is stored without what nobody sees', async () => {
    const text = 'a\u0000b \ud800 \ue200cite\ue201';
    simulator.setFault(
      {},
      { kind: 'finds', sources: [{ url: 'no address', title: null, text, page_age: null }] },
    );
    const { reportId } = await processing();
    expect(await attempt(reportId, undefined, 'research').ended).toMatchObject({ model: 'claude' });
    const { research } = await readDeliberation(world.db, reportId);
    expect(research[0]?.answer.text).toMatch(/^ab  /);
  });
});
