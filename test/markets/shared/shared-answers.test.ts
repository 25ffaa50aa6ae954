import { beforeEach, expect, test } from '@jest/globals';
import type { MarketAnswerOrigin } from '../../../council/market/market-requests.js';
import { MarketBudgetSpent, MarketUnavailable } from '../../../markets/event-source.js';
import { type AnswerStore, type Question, SharedAnswers } from '../../../markets/shared/shared-answers.js';
import { until } from '../../support/until.js';

const question: Question = { text: 'rain', purpose: 'browse', staleWillDo: false };

let nowMs = Date.parse('2031-03-01T12:00:00Z');
let storeUses = 0;
let origins: MarketAnswerOrigin[] = [];

beforeEach(() => {
  storeUses = 0;
  origins = [];
});

/** As while the database is unavailable. */
const brokenStore: AnswerStore = {
  claim: () => broken(),
  save: () => broken(),
  release: () => broken(),
};

function broken(): Promise<never> {
  storeUses++;
  return Promise.reject(new Error('connection refused'));
}

const answersWith = (store: AnswerStore) =>
  new SharedAnswers({
    store,
    now: () => new Date(nowMs),
    onAnswer: origin => origins.push(origin),
    onStoreError: () => undefined,
  });

test('without the database a process still asks once in 30 seconds, and tries the database only now and then', async () => {
  const answers = answersWith(brokenStore);
  let reads = 0;
  const read = async () => ++reads;
  const all = await Promise.all(Array.from({ length: 50 }, () => answers.ask(question, read)));
  expect(all.every(({ value }) => value === 1)).toBe(true);
  nowMs += 29_999;
  expect(await answers.ask(question, read)).toEqual({ value: 1, ageSeconds: 29, isLive: false });
  expect([reads, storeUses]).toEqual([1, 1]);
  nowMs += 1;
  expect(await answers.ask(question, read)).toEqual({ value: 2, ageSeconds: 0, isLive: true });
  expect([reads, storeUses]).toEqual([2, 2]);
});

test('only who asked before the market was read has a live answer', async () => {
  const answers = answersWith(brokenStore);
  let answer = (_read: string) => {};
  const later = new Promise<string>(resolve => {
    answer = resolve;
  });
  let isReading = false;
  const first = answers.ask(question, () => {
    isReading = true;
    return later;
  });
  await until('the market is read', () => isReading);
  const joined = answers.ask(question, () => later);
  answer('read');
  expect((await first).isLive).toBe(true);
  expect((await joined).isLive).toBe(false);
  expect(origins).toEqual(['market', 'kept']);
});

test('a refusal by the own budget is no answer for the next caller', async () => {
  const answers = answersWith(brokenStore);
  const spent = () => Promise.reject(new MarketBudgetSpent(3));
  await expect(answers.ask(question, spent)).rejects.toMatchObject({ retryAfterSeconds: 3 });
  expect((await answers.ask(question, async () => 'read')).value).toBe('read');
});

test('a failure answers everybody until the market may be asked again, with the seconds that are left', async () => {
  const answers = answersWith(brokenStore);
  let reads = 0;
  const fail = () => {
    reads++;
    return Promise.reject(new MarketUnavailable('It is away.', 10));
  };
  await expect(answers.ask(question, fail)).rejects.toMatchObject({ retryAfterSeconds: 10 });
  nowMs += 6_500;
  await expect(answers.ask(question, fail)).rejects.toMatchObject({ retryAfterSeconds: 4 });
  expect(reads).toBe(1);
  nowMs += 3_500;
  expect((await answers.ask(question, async () => 'back')).value).toBe('back');
  expect(origins).toEqual(['unavailable', 'unavailable', 'market']);
});

test('a defect of our own is thrown as it is, and is no failure of the market', async () => {
  const answers = answersWith(brokenStore);
  const defect = () => Promise.reject(new TypeError('a defect'));
  await expect(answers.ask({ ...question, staleWillDo: true }, defect)).rejects.toThrow(TypeError);
  expect((await answers.ask(question, async () => 'read')).value).toBe('read');
});
