import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { readBatch } from '../../../db/batches/batches.js';
import { grantCredits } from '../../../db/ledger/credit-grants.js';
import type { BatchChange } from '../../../purchase/batches.js';
import type { Deployment } from '../deployment/deployment.js';
import type { ScheduledFault } from '../faults/schedule.js';
import { settle } from '../load/settle.js';
import { type Callers, type Drill, type DrillResult, type DrillWorld, unless } from './drill.js';

/**
 * Kills every process in turn while a batch of 500 with a budget for 312 buys its rows. It pauses at exactly what fits; its
 * budget is raised, and it ends with 500 reports. At each poll, what it says it has spent is what the ledger has.
 */
export const batch: Drill = { name: 'batch', customers: 1, loadMinutes: 0, run };

const rows = 500;
const rowsInBudget = 312;
const given = 1_000_000;
const pollEveryMs = 200;
const pollsMin = 1_000;
const killEveryMs = 9_000;
/** Longer than the rows take on two cores, with every process down at times. */
const heldWithinMs = 15 * 60_000;

type Name = Pick<Awaited<ReturnType<typeof readBatch>>, 'id' | 'accountId'>;

async function run(world: DrillWorld): Promise<DrillResult> {
  const { deployment, injector, callers } = world;
  const { customer } = callers.next();
  const { accountId } = customer;
  const { db } = deployment.database;
  const operationId = 'the credits of the batch';
  await grantCredits(db, { accountId, credits: given, reason: 'chaos', operationId, now: new Date() });
  customer.credits += given;
  const eventIds = Array.from({ length: rows }, () => callers.next().eventId);
  const price = (await callers.client.quote({ customer, eventId: eventIds[0] ?? '', lane: 'credits' })) ?? 0;
  const name = { id: await create(callers, customer, { eventIds, budget: rowsInBudget * price }), accountId };
  const watch = watchMoney(deployment, name);
  const kills = injector.run(drawKills());
  const paused = await untilHeld(deployment, name);
  const wouldFit = paused.budgetCredits - paused.spentCredits >= (await newestPrice(deployment, price));
  await change(deployment, name, { budgetCredits: 1_000_000 });
  const ended = await untilHeld(deployment, name);
  await kills;
  const unsettled = await settle(deployment);
  const { polls, differences } = await watch.stop();
  const twice = await boughtTwice(deployment, name);
  return {
    figures: [
      `a batch of ${rows}: paused (${paused.pausedReason}) with ${paused.rows.completed} reports for ${paused.spentCredits} of ${paused.budgetCredits} credits, then ${ended.status} with ${ended.rows.completed}; ${polls} polls`,
    ],
    faults: [
      ...unsettled,
      ...differences.slice(0, 5),
      ...unless(polls >= pollsMin, `batch: only ${polls} polls`),
      ...unless(paused.pausedReason === 'budget', `batch: it was ${paused.status} (${paused.pausedReason})`),
      ...unless(!wouldFit, 'batch: it paused although another report would have fitted into its budget'),
      ...unless(ended.status === 'completed', `batch: it ended as ${ended.status} (${ended.pausedReason})`),
      ...unless(
        ended.rows.completed === rows,
        `batch: ${ended.rows.completed} of ${rows} rows are completed, ${ended.rows.failed} failed and ${ended.rows.refused} refused`,
      ),
      ...unless(twice === 0, `batch: ${twice} events were bought twice`),
    ],
  };
}

function drawKills(): ScheduledFault[] {
  const victims = ['worker', 'api', 'temporal', 'postgres', 'workers', 'apis', 'everything'] as const;
  return Array.from({ length: 2 * victims.length }, (_, index) => ({
    atMs: (index + 1) * killEveryMs,
    share: index % 2,
    kind: 'kill' as const,
    who: victims[index % victims.length] ?? 'worker',
  }));
}

/** The same request under the same key until it is answered: it stores one batch. */
async function create(
  { client }: Callers,
  customer: Parameters<Callers['client']['createBatch']>[0],
  asked: { readonly eventIds: readonly string[]; readonly budget: number },
): Promise<string> {
  for (;;) {
    const id = await client.createBatch(customer, asked);
    if (id !== null) return id;
    await pause(pollEveryMs);
  }
}

/** Polls until it is stopped. Polls without an answer, while PostgreSQL is down, do not count. */
function watchMoney(deployment: Deployment, { id, accountId }: Name) {
  const differences: string[] = [];
  const stopping = new AbortController();
  let polls = 0;
  const poll = async () => {
    const { rows: found } = await sql<{ spent: number; budget: number; ledger: number }>`
      select batch.budget_credits as budget,
        (select coalesce(sum(credits), 0)::int from report_purchases where batch_id = batch.id and state = 'charged') as spent,
        (select -coalesce(sum(entry.amount_credits), 0)::int
          from ledger_entries as entry
          join ledger_accounts as account on account.id = entry.ledger_account_id
          join ledger_transfers as transfer on transfer.id = entry.transfer_id
          where account.account_id = ${accountId} and transfer.kind in ('charge', 'refund')) as ledger
      from batches as batch where batch.id = ${id}`.execute(deployment.database.db);
    const [money] = found;
    if (money === undefined) return;
    polls++;
    const { spent, budget, ledger } = money;
    if (spent !== ledger || spent > budget)
      differences.push(`batch: ${spent} spent of ${budget}, and ${ledger} in the ledger`);
  };
  const watching = (async () => {
    for (; !stopping.signal.aborted; await pause(pollEveryMs)) await poll().catch(() => undefined);
  })();
  return {
    stop: async () => {
      stopping.abort();
      await watching;
      for (let left = pollsMin - polls; left > 0; left--) await poll();
      return { polls, differences };
    },
  };
}

async function untilHeld({ database }: Deployment, { id }: Name) {
  const deadline = Date.now() + heldWithinMs;
  for (;;) {
    const read = await readBatch(database.db, id).catch(() => null);
    if (read !== null && (read.status !== 'running' || Date.now() > deadline)) return read;
    await pause(pollEveryMs);
  }
}

/** By the workflow, as the API changes a batch. */
async function change({ temporal }: Deployment, { id }: Name, asked: BatchChange): Promise<void> {
  for (;;) {
    try {
      await temporal.workflow.getHandle(`batch/${id}`).executeUpdate('changeBatch', { args: [asked] });
      return;
    } catch {
      await pause(pollEveryMs);
    }
  }
}

async function newestPrice({ database }: Deployment, otherwise: number): Promise<number> {
  const newest = await database.db
    .selectFrom('quotes')
    .select('fresh_credits as credits')
    .where('simulated', '=', false)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.credits ?? otherwise;
}

async function boughtTwice({ database }: Deployment, { id }: Name): Promise<number> {
  const { rows: events } = await sql`
    select report.event_id from report_purchases as purchase join reports as report on report.id = purchase.report_id
    where purchase.batch_id = ${id} and purchase.state = 'charged'
    group by 1 having count(*) > 1`.execute(database.db);
  return events.length;
}
