import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { CouncilReports } from '../../client/council-reports.js';
import { openStage } from '../../db/reports/open-stage.js';
import { heldAnswersPerAccount } from '../../purchase/limits.js';
import { expectProblem } from '../support/expect/expect-problem.js';
import { send } from '../support/service/send.js';
import type { Answer, TestCaller } from '../support/service/test-caller.js';
import { longDeadlines } from '../support/service/test-service.js';
import { until } from '../support/until.js';
import { useTwoServices } from '../support/use-service.js';

const services = await useTwoServices({ stageDeadlinesMs: longDeadlines }, { worker: false });
const letGo = services[0].simulator.hold({ stage: 'opinions' });
const attacker = await services[0].newCaller(1_000);
const other = await services[0].newCaller(1_000);
/** Reports whose models do not answer before the last test. */
const attackedId = await buyHeld(attacker, 'sample-fed-cut-2031');
const othersId = await buyHeld(other, 'sample-hottest-year-2031');
const leaving = new Set<AbortController>();

afterEach(async () => {
  for (const each of leaving) each.abort();
  leaving.clear();
  await until('no place is taken', async () => (await placesTaken()) === 0);
});

async function buyHeld(caller: TestCaller, eventId: string): Promise<number> {
  const { body } = await caller.buy(eventId);
  await until(
    'the models are asked',
    () => caller.get(`/api/reports/${body.report_id}`),
    answer => answer.body.status === 'processing',
  );
  return body.report_id;
}

async function placesTaken(): Promise<number> {
  const { rows } = await services[0].database.pool.query(
    'select coalesce(sum(cardinality(ends)), 0)::int as taken from held_answers',
  );
  return rows[0].taken;
}

interface Held {
  readonly leave: () => void;
  readonly answer: Promise<Answer | null>;
  /** The answer so far; undefined while the response is held. */
  answered: Answer | null | undefined;
}

/** Asks for a held response of one of the processes. Null if the caller leaves before the response. */
function hold(index: number, { key } = attacker, id = attackedId): Held {
  const left = new AbortController();
  leaving.add(left);
  const url = `${services[index % services.length]?.url}/api/reports/${id}`;
  const headers = { 'x-api-key': key, prefer: 'wait=50' };
  const answer = send(url, { headers, signal: left.signal }).catch(() => null);
  const held: Held = { leave: () => left.abort(), answer, answered: undefined };
  void note(held);
  return held;
}

async function note(held: Held): Promise<void> {
  held.answered = await held.answer;
}

const flood = (count: number) => Array.from({ length: count }, (_, index) => hold(index));
const untilRefused = (held: readonly Held[]) =>
  until(
    'all others are refused',
    () => held.filter(({ answered }) => answered === undefined).length,
    open => open <= heldAnswersPerAccount,
  );

describe('a flood of held answers', () => {
  test('holds ten of an account in all processes together, and refuses the others', async () => {
    const asked = flood(50);
    await untilRefused(asked);
    const refused = asked.flatMap(({ answered }) => (answered == null ? [] : [answered]));
    expect(refused).toHaveLength(50 - heldAnswersPerAccount);
    for (const answer of refused) {
      expectProblem(answer, 'rate_limited');
      expect(answer.headers.get('retry-after')).toBe('2');
      expect(answer.headers.get('preference-applied')).toBeNull();
    }
    expect(await placesTaken()).toBe(heldAnswersPerAccount);
  });

  test('leaves the account its other requests, and answers of reports that cannot change', async () => {
    const asked = flood(50);
    await untilRefused(asked);
    expect((await attacker.get(`/api/reports/${attackedId}`)).status).toBe(200);
    const unknown = await attacker.get('/api/reports/123456', { headers: { prefer: 'wait=50' } });
    expectProblem(unknown, 'not_found');
  });

  test('does not keep another account waiting, nor do readers that never read', async () => {
    const readers = await openSlowReaders(20);
    const asked = flood(50);
    await untilRefused(asked);
    const theirs = hold(1, other, othersId);
    await until('its place is taken', async () => (await placesTaken()) === heldAnswersPerAccount + 1);
    await openStage(services[0].database.db, { reportId: othersId, stage: 'cross_review', of: 4 });
    expect((await theirs.answer)?.body.progress.stage).toBe('cross_review');
    expect(asked.filter(({ answered }) => answered === undefined)).toHaveLength(heldAnswersPerAccount);
    for (const reader of readers) reader.destroy();
  });

  test('the command line follows a report all the same, without a held response of its own', async () => {
    const held = flood(heldAnswersPerAccount);
    await until('all places are taken', async () => (await placesTaken()) === heldAnswersPerAccount);
    const requests: string[] = [];
    const { reports } = new CouncilReports({
      baseUrl: services[0].url,
      apiKey: attacker.key,
      retryWithinSeconds: 0,
      fetch: (url, init) => {
        requests.push(new URL(url instanceof Request ? url.url : url).pathname);
        return fetch(url, init);
      },
    });
    const last = await reports.wait(attackedId, { timeoutSeconds: 3 });
    expect(last.status).toBe('processing');
    expect(requests.filter(path => path === `/api/reports/${attackedId}`).length).toBeGreaterThan(1);
    expect(held.map(({ answered }) => answered)).toEqual(Array(heldAnswersPerAccount).fill(undefined));
  });
});

test('a caller that leaves frees its place at once, for any process', async () => {
  const asked = flood(30);
  await untilRefused(asked);
  for (const each of asked) each.leave();
  await until('all places are free', async () => (await placesTaken()) === 0);
  const again = Array.from({ length: heldAnswersPerAccount }, () => hold(1));
  await until('the places are taken again', async () => (await placesTaken()) === heldAnswersPerAccount);
  expect(again.filter(({ answered }) => answered !== undefined)).toEqual([]);
});

test('the places of a process that died are free when their time is over', async () => {
  const { pool } = services[0].database;
  const over = new Date(Date.now() - 1);
  await pool.query(
    `insert into held_answers values ($1, $2) on conflict (account_id) do update set ends = excluded.ends`,
    [attacker.accountId, Array.from({ length: heldAnswersPerAccount }, () => over)],
  );
  const held = hold(0);
  await until('its place is taken', async () => (await placesTaken()) === 1);
  expect(held.answered).toBeUndefined();
});

test('nobody holds an answer without a credential', async () => {
  for (const path of [`/api/reports/${attackedId}`, '/api/reports/sample']) {
    const answer = await send(services[0].url + path, { headers: { prefer: 'wait=50' } });
    expect(answer.headers.get('preference-applied')).toBeNull();
  }
  expect(await placesTaken()).toBe(0);
});

test('the reports are completed once their models answer', async () => {
  letGo();
  for (const [caller, id] of [
    [attacker, attackedId],
    [other, othersId],
  ] as const)
    expect((await caller.untilEnded(id)).status).toBe('completed');
});

/** Connections that ask for a held response and read nothing. */
async function openSlowReaders(count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(services[1].url);
  const request = `GET /api/reports/${attackedId} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${attacker.key}\r\n\r\n`;
  const open = () =>
    new Promise<Socket>(resolve => {
      const socket = connect(Number(port), hostname, () => {
        socket.pause();
        socket.write(request.repeat(5), () => resolve(socket));
      });
    });
  return Promise.all(Array.from({ length: count }, open));
}
