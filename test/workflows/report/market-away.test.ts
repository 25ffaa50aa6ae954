import { expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { freezeMarket } from '../../../activities/report/freeze-market.js';
import type { EventSource } from '../../../markets/event-source.js';
import { MarketUnavailable } from '../../../markets/event-source.js';
import { marketRetriedForSeconds } from '../../../purchase/limits.js';
import { createSampleEventSource } from '../../../simulator/events/sample-event-source.js';
import { event, market } from '../../council/fixtures.js';
import { openRuns } from '../../db/support/purchases.js';
import { noon, useTestWorld } from '../../db/support/test-world.js';
import { shippedCatalogue } from '../../providers/catalogue.js';

const catalogue = shippedCatalogue();
const world = useTestWorld();
const { pending } = openRuns(world);
const logger = new DefaultLogger('ERROR', () => undefined);

/** The failure of an attempt that begins so many seconds after the step was scheduled. */
async function failureAfter(seconds: number, error: Error) {
  const { reportId } = await pending();
  const markets: EventSource = { ...createSampleEventSource(), get: () => Promise.reject(error) };
  const scheduledTimestampMs = noon.getTime();
  const currentAttemptScheduledTimestampMs = scheduledTimestampMs + seconds * 1_000;
  const environment = new MockActivityEnvironment(
    { scheduledTimestampMs, currentAttemptScheduledTimestampMs },
    { logger },
  );
  return environment
    .run(() =>
      freezeMarket({ db: world.db, markets, catalogue, now: () => noon }, { reportId, searches: false }),
    )
    .catch(failure => failure);
}

test('a market that cannot be read fails the run after some seconds, and not before', async () => {
  const failure = { type: 'market_unavailable' };
  const away = new MarketUnavailable('unavailable');
  const early = await failureAfter(marketRetriedForSeconds - 1, away);
  expect(early).toMatchObject({ ...failure, nonRetryable: false });
  const late = await failureAfter(marketRetriedForSeconds, away);
  expect(late).toMatchObject({ ...failure, nonRetryable: true });
});

test('an exclusive event with a winner fails the run as closed, although its other markets trade', async () => {
  const { reportId } = await pending();
  const given = event([
    market({ name: 'A' }),
    market({ name: 'B' }),
    market({ name: 'W', status: 'closed', resolution: 'yes' }),
  ]);
  const markets: EventSource = { ...createSampleEventSource(), get: () => Promise.resolve(given) };
  const frozen = new MockActivityEnvironment({}, { logger }).run(() =>
    freezeMarket({ db: world.db, markets, catalogue, now: () => noon }, { reportId, searches: false }),
  );
  await expect(frozen).rejects.toMatchObject({ type: 'event_closed', nonRetryable: true });
});

test('another error, such as that of a database that is away, is retried for as long as the step may take', async () => {
  const error = new Error('connection terminated');
  expect(await failureAfter(marketRetriedForSeconds, error)).toBe(error);
});
