import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import { readBatch } from '../../../db/batches/batches.js';
import { batchWorkflowId } from '../../../workflows/batch-interface.js';
import { ReportBuyer } from '../load/report-buyer.js';
import { inLanes } from '../load/steady-load.js';
import { type Measured, median, rounded } from '../results/measurement.js';
import { type Caller, seedCallers } from '../services/seed-callers.js';
import { type BenchedService, withService } from '../services/with-service.js';

const batchRows = 500;
const smallBatchRows = 5;
/** Single purchases of others, one after the other. */
const singles = 10;
/** As fast models answer, in each stage. */
const modelMs = 1_000;

/**
 * Measures a batch of 500: its rows a second and its history with models that answer at once, beside single purchases in the
 * same run; and, with models that take a second a call, what a single purchase and a batch of five of other accounts take
 * beside it.
 */
export function benchBatches(env: NodeJS.ProcessEnv): Promise<Measured> {
  return withService(env, {}, async service => {
    const callers = await seedCallers(service.database.db, 4);
    const buyer = await ReportBuyer.create(service, 2 * singles + fastSingles);
    const delays = await measureDelays(service, buyer, callers);
    const speed = await measureSpeed(service, buyer, callers);
    return resultOf(delays, speed);
  });
}

async function measureDelays(service: BenchedService, buyer: ReportBuyer, callers: readonly Caller[]) {
  await service.slowDown([{ ms: modelMs }]);
  const single = await singlesMs(buyer);
  const small = await batchMs(service, callers[0], smallBatchRows, 3_000_000);
  const large = await startBatch(service, callers[1], batchRows, 3_001_000);
  await untilRows(service, large, ({ running }) => running >= 20);
  const besides = {
    single: await singlesMs(buyer),
    small: await batchMs(service, callers[2], smallBatchRows, 3_002_000),
  };
  const { rows } = await readBatch(service.database.db, large);
  const stillRuns = rows.waiting > 0;
  await cancel(service, callers[1], large);
  await untilRows(service, large, ({ running }) => running === 0);
  return { single, small, besides, stillRuns };
}

const fastSingles = 300;
const fastSinglesInFlight = 20;

async function measureSpeed(service: BenchedService, buyer: ReportBuyer, callers: readonly Caller[]) {
  await service.slowDown([]);
  const singlesFrom = performance.now();
  await inLanes(fastSingles, fastSinglesInFlight, async () => {
    const { reportId } = await buyer.buy();
    await buyer.untilEnded(reportId);
  });
  const singlesSeconds = (performance.now() - singlesFrom) / 1_000;
  const from = performance.now();
  const id = await startBatch(service, callers[3], batchRows, 3_003_000);
  await untilEnded(service, id);
  const seconds = (performance.now() - from) / 1_000;
  return {
    single_reports_per_second: rounded(fastSingles / singlesSeconds),
    rows_per_second: rounded(batchRows / seconds),
    ...(await historyOf(service, id)),
  };
}

function resultOf(
  { single, small, besides, stillRuns }: Awaited<ReturnType<typeof measureDelays>>,
  speed: Awaited<ReturnType<typeof measureSpeed>>,
): Measured {
  const [alone, beside] = [median(single), median(besides.single)];
  const row = (what: string, ms: number, besideMs: number) => [
    what,
    Math.round(ms),
    Math.round(besideMs),
    rounded(besideMs / ms),
  ];
  return {
    figures: {
      model_ms: modelMs,
      single_ms: single.map(Math.round),
      single_beside_batch_ms: besides.single.map(Math.round),
      batch_of_5_ms: Math.round(small),
      batch_of_5_beside_batch_ms: Math.round(besides.small),
      batch_ran_all_the_time: stillRuns,
      at_once: speed,
    },
    table: {
      head: ['', 'alone, ms', 'beside a batch of 500, ms', 'ratio'],
      rows: [
        row(`a single report, median of ${singles}`, alone, beside),
        row(`a batch of ${smallBatchRows}`, small, besides.small),
        [
          'rows a second, single reports a second',
          speed.rows_per_second,
          speed.single_reports_per_second,
          '',
        ],
        ['events and KiB of the history of 500 rows', speed.history_events, speed.history_kib, ''],
      ],
    },
    goals: [
      { what: 'a single report beside a batch of 500 ÷ alone', value: rounded(beside / alone), atMost: 1.2 },
      { what: 'a batch of 5 beside one of 500 ÷ alone', value: rounded(besides.small / small), atMost: 2 },
    ],
  };
}

async function singlesMs(buyer: ReportBuyer): Promise<readonly number[]> {
  const took: number[] = [];
  for (let index = 0; index < singles; index += 1) {
    const from = performance.now();
    const { reportId } = await buyer.buy();
    await buyer.untilEnded(reportId);
    took.push(performance.now() - from);
  }
  return took;
}

async function batchMs(
  service: BenchedService,
  caller: Caller | undefined,
  rows: number,
  firstEventId: number,
): Promise<number> {
  const from = performance.now();
  await untilEnded(service, await startBatch(service, caller, rows, firstEventId));
  return performance.now() - from;
}

async function startBatch(
  { url }: BenchedService,
  caller: Caller | undefined,
  rows: number,
  firstEventId: number,
): Promise<string> {
  const response = await fetch(`${url}/api/batches`, {
    method: 'POST',
    headers: { ...headersOf(caller), 'idempotency-key': `bench-${firstEventId}` },
    body: JSON.stringify({
      events: Array.from({ length: rows }, (_, index) => String(firstEventId + index)),
      lane: 'credits',
      budget_credits: 100_000,
      max_in_flight: 20,
    }),
  });
  if (response.status !== 201) throw new Error(`a batch was refused: ${await response.text()}`);
  return createdShape.parse(await response.json()).batch_id;
}

async function cancel({ url }: BenchedService, caller: Caller | undefined, id: string): Promise<void> {
  const response = await fetch(`${url}/api/batches/${id}`, {
    method: 'PATCH',
    headers: headersOf(caller),
    body: JSON.stringify({ status: 'cancelled' }),
  });
  if (!response.ok) throw new Error(`a batch was not cancelled: ${await response.text()}`);
}

const createdShape = z.object({ batch_id: z.string() });

function headersOf(caller: Caller | undefined): Record<string, string> {
  if (caller === undefined) throw new Error('there are not enough accounts');
  return { 'x-api-key': caller.apiKey, 'content-type': 'application/json' };
}

type Rows = Awaited<ReturnType<typeof readBatch>>['rows'];

/** Reads the database, so that the API is not measured. */
async function untilRows(
  service: BenchedService,
  id: string,
  isReached: (rows: Rows) => boolean,
): Promise<void> {
  while (!isReached((await readBatch(service.database.db, id)).rows)) await pause(pollEveryMs);
}

async function untilEnded({ database }: BenchedService, id: string): Promise<void> {
  for (;;) {
    const { status, pausedReason, rows } = await readBatch(database.db, id);
    if (status === 'completed' && rows.completed === rows.total) return;
    if (status !== 'running')
      throw new Error(`the batch is ${status} (${pausedReason}): ${JSON.stringify(rows)}`);
    await pause(pollEveryMs);
  }
}

const pollEveryMs = 200;

async function historyOf({ temporalAddress, manifest }: BenchedService, id: string) {
  const connection = await Connection.connect({ address: temporalAddress });
  const client = new Client({ connection, namespace: manifest.namespace });
  const handle = client.workflow.getHandle(batchWorkflowId(id));
  await handle.result();
  const { historyLength, historySize = 0 } = await handle.describe();
  await connection.close();
  return { history_events: historyLength, history_kib: rounded(historySize / 1_024, 1) };
}
