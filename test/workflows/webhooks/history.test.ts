import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { readableHistory } from '../../support/expect/readable-history.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';
import { askAgain } from '../../support/webhooks.js';
import { useSubscribers } from '../support/subscribers.js';

const keyRing = [{ kid: 'hooks', key: randomBytes(32) }];
const service = await useTestService({
  keyRing,
  webhooks: { pausesSeconds: Array.from({ length: 9 }, () => 0.05) },
});
const { answer, subscriber, told, ended, attemptsOf, handleOf } = await useSubscribers(service, keyRing);
const workflowBundle = { codePath: projectFiles.workflowBundle };

async function historyOf(id: string) {
  await handleOf(id).result();
  return handleOf(id).fetchHistory();
}

/** The start, the activity, its two workflow tasks, and the end. */
const eventsOfOneTry = 1 + 3 + 2 * 3 + 1;
/** The activity, a workflow task after it and one after the timer, and the timer. */
const eventsOfEachFurther = 3 + 2 * 3 + 2;

test('a history has nothing secret: no address, no body, no secret, no account', async () => {
  const owner = await subscriber();
  answer({ status: 503 }, { status: 204 });
  const id = await told(owner, { hello: 'a-word-of-the-body' });
  await ended(id);
  const history = readableHistory(await historyOf(id));
  expect(history).toContain(id);
  const hidden = [owner.path, '127.0.0.1:', 'a-word-of-the-body', owner.accountId, owner.endpoint.secret];
  for (const secret of [...hidden, owner.endpoint.secret.slice(6), 'whsec_', 'an answer'])
    expect(history).not.toContain(secret);
});

test.each([
  ['one try', [204], 0],
  ['ten tries', Array.from({ length: 10 }, () => 500), 9],
])(
  'a delivery of %s replays on the bundle that workers run, and has few events',
  async (_, statuses, more) => {
    const owner = await subscriber();
    answer(...statuses.map(status => ({ status })));
    const id = await told(owner);
    await ended(id);
    const history = await historyOf(id);
    expect(history.events?.length).toBeLessThanOrEqual(eventsOfOneTry + more * eventsOfEachFurther);
    await expect(Worker.runReplayHistory({ workflowBundle }, history)).resolves.toBeUndefined();
  },
);

test('a delivery that was woken while it slept replays, and not with another step', async () => {
  const owner = await subscriber();
  answer({ status: 503, headers: { 'retry-after': '3600' } }, { status: 204 });
  const id = await told(owner);
  await until('it sleeps', async () => (await attemptsOf(id)).length === 1);
  await askAgain(service.database.db, id, new Date());
  await ended(id);
  const history = await historyOf(id);
  const signals = (history.events ?? []).filter(event => event.workflowExecutionSignaledEventAttributes);
  expect(signals.length).toBe(1);
  await expect(Worker.runReplayHistory({ workflowBundle }, history)).resolves.toBeUndefined();
  const events = (history.events ?? []).map(event => {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (!scheduled?.activityType) return event;
    return {
      ...event,
      activityTaskScheduledEventAttributes: { ...scheduled, activityType: { name: 'somethingElse' } },
    };
  });
  await expect(Worker.runReplayHistory({ workflowBundle }, { events })).rejects.toThrow();
});
