import { beforeEach, describe, expect, test } from '@jest/globals';
import type { MarketPurpose } from '../../council/market/market-requests.js';
import { createTurnGates, type TurnStore } from '../../markets/turn-gate.js';

const spacingMs = 350;
const leaseMs = 6_000;
let nowMs = 0;
let timers: { atMs: number; ring: () => void }[] = [];
let ids = 0;
let holders: string[] = [];

beforeEach(() => {
  nowMs = Date.parse('2031-03-01T12:00:00Z');
  timers = [];
  holders = [];
});

/** Lets the promises that wait for nothing but each other settle. */
const settle = async () => {
  for (let step = 0; step < 50; step++) await Promise.resolve();
};

const advance = async (ms: number) => {
  await settle();
  for (const endMs = nowMs + ms; ; ) {
    const next = timers.sort((a, b) => a.atMs - b.atMs)[0];
    if (next === undefined || next.atMs > endMs) {
      nowMs = endMs;
      return settle();
    }
    timers.shift();
    nowMs = next.atMs;
    next.ring();
    await settle();
  }
};

/** As `db/market/venue-turns.ts`. */
function sharedStore(): TurnStore {
  let holder: string | null = null;
  let freeFromMs = 0;
  let pausedUntilMs = 0;
  return {
    take: async turn => {
      if (pausedUntilMs > nowMs) return { state: 'paused', waitMs: pausedUntilMs - nowMs };
      if (freeFromMs > nowMs) return { state: 'busy', waitMs: holder === null ? freeFromMs - nowMs : 0 };
      holder = turn.holder;
      holders.push(holder);
      freeFromMs = nowMs + turn.leaseMs + turn.spacingMs;
      return { state: 'taken' };
    },
    end: async turn => {
      if (turn.holder !== holder) return;
      holder = null;
      freeFromMs = nowMs + turn.spacingMs;
    },
    pause: async ({ pauseMs }) => void (pausedUntilMs = nowMs + pauseMs),
  };
}

const awayStore: TurnStore = {
  take: () => Promise.reject(new Error('connection refused')),
  end: () => Promise.reject(new Error('connection refused')),
  pause: () => Promise.reject(new Error('connection refused')),
};

const openProcess = (store: TurnStore) =>
  createTurnGates({
    venue: 'kalshi',
    spacingMs,
    leaseMs,
    store,
    now: () => new Date(nowMs),
    newId: () => `turn-${ids++}`,
    wait: ms => new Promise<void>(ring => timers.push({ atMs: nowMs + ms, ring })),
    onRequest: () => undefined,
    onStoreError: () => undefined,
  });

/** Sends a request of 100 ms, and notes its purpose and when it began, in milliseconds. */
function sender(log: { purpose: MarketPurpose; atMs: number }[]) {
  const startMs = nowMs;
  return async (gateFor: ReturnType<typeof openProcess>, purpose: MarketPurpose) => {
    const gate = gateFor(purpose);
    const seconds = await gate.admit('');
    if (seconds > 0) return seconds;
    log.push({ purpose, atMs: nowMs - startMs });
    await new Promise<void>(ring => timers.push({ atMs: nowMs + 100, ring }));
    gate.ended('answered');
    return 0;
  };
}

const gapsOf = (log: readonly { atMs: number }[]) =>
  log.slice(1).map(({ atMs }, index) => atMs - (log[index]?.atMs ?? 0));

test('two processes send one request at a time, each the spacing after the end of the one before', async () => {
  const store = sharedStore();
  const log: { purpose: MarketPurpose; atMs: number }[] = [];
  const send = sender(log);
  const [one, other] = [openProcess(store), openProcess(store)];
  for (let each = 0; each < 5; each++) {
    void send(one, 'purchase');
    void send(other, 'purchase');
  }
  await advance(9_000);
  expect(log).toHaveLength(10);
  expect(Math.min(...gapsOf(log))).toBeGreaterThanOrEqual(100 + spacingMs);
});

test('the most urgent purpose has the next turn, and equals keep their order', async () => {
  const log: { purpose: MarketPurpose; atMs: number }[] = [];
  const send = sender(log);
  const gateFor = openProcess(sharedStore());
  void send(gateFor, 'browse');
  await advance(0);
  for (const purpose of ['browse', 'grading', 'check', 'run', 'purchase'] as const)
    void send(gateFor, purpose);
  await advance(4_000);
  expect(log.map(({ purpose }) => purpose)).toEqual([
    'browse',
    'purchase',
    'run',
    'check',
    'grading',
    'browse',
  ]);
});

test('a search gives up after 2.5 seconds with seconds to wait, and a purchase goes on waiting', async () => {
  const gateFor = openProcess(sharedStore());
  await gateFor('run').admit('');
  const answers: Record<string, number> = {};
  void gateFor('browse')
    .admit('')
    .then(seconds => void (answers['browse'] = seconds));
  void gateFor('purchase')
    .admit('')
    .then(seconds => void (answers['purchase'] = seconds));
  await advance(2_499);
  expect(answers).toEqual({});
  await advance(101);
  expect(answers).toEqual({ browse: 1 });
  gateFor('run').ended('answered');
  await advance(500);
  expect(answers).toEqual({ browse: 1, purchase: 0 });
});

test('a request that is never ended blocks its process no longer than its lease', async () => {
  const gateFor = openProcess(sharedStore());
  await gateFor('run').admit('');
  let admitted = false;
  void gateFor('purchase')
    .admit('')
    .then(() => (admitted = true));
  await advance(leaseMs - 100);
  expect(admitted).toBe(false);
  await advance(spacingMs + 300);
  expect(admitted).toBe(true);
});

describe('a pause that the venue asked for', () => {
  test('holds for every purpose and every process, until it is over', async () => {
    const store = sharedStore();
    const [one, other] = [openProcess(store), openProcess(store)];
    one('browse').pause('', 4);
    await settle();
    for (const gateFor of [one, other]) {
      for (const purpose of ['browse', 'purchase', 'grading'] as const) {
        expect(await gateFor(purpose).admit('')).toBe(4);
      }
    }
    nowMs += 4_000;
    expect(await other('browse').admit('')).toBe(0);
  });

  test('refuses those that wait already', async () => {
    const gateFor = openProcess(sharedStore());
    await gateFor('run').admit('');
    const waiting = gateFor('purchase').admit('');
    gateFor('run').pause('', 8);
    gateFor('run').ended('failed');
    await advance(600);
    expect(await waiting).toBe(8);
  });
});

test('without the database a process keeps the spacing by itself', async () => {
  const log: { purpose: MarketPurpose; atMs: number }[] = [];
  const send = sender(log);
  const gateFor = openProcess(awayStore);
  for (let each = 0; each < 4; each++) void send(gateFor, 'run');
  await advance(3_000);
  expect(log).toHaveLength(4);
  expect(Math.min(...gapsOf(log))).toBeGreaterThanOrEqual(100 + spacingMs);
});

test('a turn that nobody waits for any more is given back', async () => {
  let answerTake: (answer: { state: 'taken' }) => void = () => undefined;
  const ended: string[] = [];
  const gateFor = openProcess({
    ...sharedStore(),
    take: () => new Promise(resolve => (answerTake = resolve)),
    end: async turn => void ended.push(turn.holder),
  });
  const waiting = gateFor('browse').admit('');
  await settle();
  nowMs += 2_600;
  answerTake({ state: 'taken' });
  expect(await waiting).toBe(1);
  await settle();
  expect(ended).toHaveLength(1);
});
