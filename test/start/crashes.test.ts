import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Db } from '../../db/database.js';
import { reconcile } from '../db/support/reconcile.js';
import { type Answer, TestCaller } from '../support/service/test-caller.js';
import { patienceMs, processTestMs, until } from '../support/until.js';
import { LaunchedService, processesOf } from './launched-service.js';

const service = await LaunchedService.inNewHome();
afterAll(() => service.remove(), processTestMs);
const url = await service.start();
let readyLines = 1;

/** Repeats a request, as a client should, until it gets a usable answer. */
async function retry(request: () => Promise<Answer>, isUsable: (answer: Answer) => boolean): Promise<Answer> {
  const deadline = Date.now() + 2 * patienceMs;
  for (;;) {
    const answer = await request().catch(() => null);
    if (answer !== null && isUsable(answer)) return answer;
    if (Date.now() > deadline) {
      throw new Error(`no usable answer: ${JSON.stringify(answer?.body)}\n${service.output}`);
    }
    await pause(200);
  }
}

const isSold = ({ status }: Answer): boolean => status === 202 || status === 200;
const hasEnded = ({ body }: Answer): boolean => body?.status === 'completed' || body?.status === 'failed';

interface Victim {
  readonly name: string;
  readonly command: string;
  /** After its death the launcher restarts everything; an API or a worker is restarted alone. */
  readonly isServer: boolean;
  readonly events: readonly string[];
}

/** A server follows an API or a worker: by then it is old enough to be restarted. */
const victims: readonly Victim[] = [
  {
    name: 'the API',
    command: 'api/main.js',
    isServer: false,
    events: ['sample-fed-cut-2031', 'sample-ridge-derby-2031', 'sample-bitcoin-high-2031'],
  },
  {
    name: 'the Temporal server',
    command: 'start-dev',
    isServer: true,
    events: ['sample-song-contest-2031', 'sample-calder-mayor-2031', 'sample-great-quake-2031'],
  },
  {
    name: 'the worker',
    command: 'activities/worker.js',
    isServer: false,
    events: ['sample-oil-ladder-2031', 'sample-chess-knockout-2031', 'sample-hottest-year-2031'],
  },
  {
    name: 'PostgreSQL',
    command: 'postgres',
    isServer: true,
    events: ['sample-expo-host-2031', 'sample-exoplanet-claims-2031', 'sample-harbour-cup-final-2031'],
  },
];

/** The launcher gives up on a server that dies within 15 s of its start. */
const youngMs = 16_000;
const callersPerVictim = 3;
/** A run takes some four seconds: runs that start one after the other are at different steps. */
const betweenRunsMs = 330;
const openRunsAtKill = 5;
const stepsAtKill = 3;

describe('kill -9 in the middle of runs at different steps, of', () => {
  test.each(victims)(
    '$name: every report ends, and money is exact',
    async victim => {
      await until('the API is ready', isReady);
      const callers = await service.withDb(db =>
        Promise.all(Array.from({ length: callersPerVictim }, () => TestCaller.signUp(url, db, 2_000))),
      );
      if (victim.isServer) await until('it is old enough to be restarted', () => service.upMs > youngMs);
      const purchases = callers
        .flatMap(caller => victim.events.map(eventId => ({ caller, eventId })))
        .map(async ({ caller, eventId }, index) => {
          await pause(index * betweenRunsMs);
          const bought = await retry(() => caller.buy(eventId), isSold);
          return { caller, reportId: Number(bought.body.report_id) };
        });
      await service.withDb(db =>
        until(
          'runs are at different steps',
          () => openSteps(db),
          steps => steps.length >= openRunsAtKill && new Set(steps).size >= stepsAtKill,
        ),
      );
      for (const pid of processesOf(service.home, victim.command)) process.kill(pid, 'SIGKILL');
      if (victim.isServer) await service.ready(++readyLines);
      for (const { caller, reportId } of await Promise.all(purchases)) {
        const ended = await retry(() => caller.get(`/api/reports/${reportId}`), hasEnded);
        await expectExact(caller, reportId, ended.body.status);
      }
      expect(await service.withDb(reconcile)).toEqual([]);
      expect(await service.withDb(paidTwice)).toEqual([]);
    },
    2 * processTestMs,
  );
});

function isReady(): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The step of each run that has not ended. */
async function openSteps(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('reports')
    .select(['status', 'stage'])
    .where('status', 'in', ['pending', 'processing'])
    .execute();
  return rows.map(({ status, stage }) => `${status} ${stage}`);
}

/** The charge less the refund is the price of a completed report, and nothing for a failed one. */
async function expectExact(caller: TestCaller, reportId: number, status: string): Promise<void> {
  const moved = (await caller.ledger()).filter(entry => entry.report_id === reportId);
  const charged = moved.filter(({ kind }) => kind === 'charge');
  const net = moved.reduce((sum, { amount_credits }) => sum - amount_credits, 0);
  expect(charged).toHaveLength(1);
  expect(net).toBe(status === 'completed' ? -charged[0].amount_credits : 0);
}

/** Calls made after their answer was stored: vendors must not be paid twice for one answer. */
function paidTwice(db: Db) {
  return db
    .selectFrom('provider_calls as call')
    .innerJoin('stage_results as kept', join =>
      join
        .onRef('kept.report_id', '=', 'call.report_id')
        .onRef('kept.stage', '=', 'call.stage')
        .onRef('kept.model', '=', 'call.model'),
    )
    .select(['call.report_id', 'call.stage', 'call.model'])
    .where('call.outcome', '=', 'answered')
    .whereRef('call.called_at', '>', 'kept.created_at')
    .execute();
}
