import { expect, test } from '@jest/globals';
import { CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createEndTogether, type EndTogether } from '../../../activities/report/end-together.js';

const logger = new DefaultLogger('ERROR', () => undefined);

/** An activity of a group, which ends when the test says so. */
function activity(endTogether: EndTogether, group: string) {
  let succeed = (): void => undefined;
  let fail = (): void => undefined;
  const work = new Promise<string>((resolve, reject) => {
    succeed = () => resolve('found');
    fail = () => reject(new Error('rate limited'));
  });
  const environment = new MockActivityEnvironment(undefined, { logger });
  const seen = { ended: false };
  const ended = environment
    .run(() => endTogether(group, () => work))
    .catch(error => error)
    .finally(() => {
      seen.ended = true;
    });
  return { succeed, fail, ended, seen, cancel: () => environment.cancel() };
}

/** Lets everything that has nothing to wait for run. */
const settled = () => new Promise(resolve => setImmediate(resolve));

test('activities of a group return when the last of them has ended, and other groups do not wait for them', async () => {
  const endTogether = createEndTogether();
  const [first, second] = [activity(endTogether, '1'), activity(endTogether, '1')];
  const other = activity(endTogether, '2');
  first.succeed();
  other.succeed();
  expect(await other.ended).toBe('found');
  await settled();
  expect(first.seen.ended).toBe(false);
  second.succeed();
  expect(await Promise.all([first.ended, second.ended])).toEqual(['found', 'found']);
});

test('a failure returns at once, and the others do not wait for its next attempt', async () => {
  const endTogether = createEndTogether();
  const [failing, holding] = [activity(endTogether, '1'), activity(endTogether, '1')];
  const slow = activity(endTogether, '1');
  failing.fail();
  expect(await failing.ended).toEqual(new Error('rate limited'));
  holding.succeed();
  slow.succeed();
  expect(await Promise.all([holding.ended, slow.ended])).toEqual(['found', 'found']);
});

test('an activity that is cancelled while it waits for the others ends', async () => {
  const endTogether = createEndTogether();
  const [first, second] = [activity(endTogether, '1'), activity(endTogether, '1')];
  first.succeed();
  await settled();
  first.cancel();
  expect(await first.ended).toBeInstanceOf(CancelledFailure);
  second.succeed();
  expect(await second.ended).toBe('found');
});
