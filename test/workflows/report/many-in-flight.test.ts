import { expect, test } from '@jest/globals';
import { runsPerHour } from '../../../purchase/limits.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { longDeadlines } from '../../support/service/test-service.js';
import { useTestService } from '../../support/use-service.js';

const markets = createSampleEventCopies();
const callers = 13;
const service = await useTestService({ markets, isEmbedded: true, stageDeadlinesMs: longDeadlines });

test('under `npm start` too, a purchase does not wait for the model calls of other runs', async () => {
  const release = service.simulator.hold({});
  const answers: number[] = [];
  for (let i = 0; i < callers; i += 1) {
    const caller = await service.newCaller(1_000);
    for (let run = 0; run < runsPerHour; run += 1) {
      const { status } = await caller.buy(markets.retell('sample-fed-cut-2031'));
      answers.push(status);
    }
  }
  expect(answers).toEqual(Array.from({ length: callers * runsPerHour }, () => 202));
  release();
});
