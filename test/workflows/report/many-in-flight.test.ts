import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runsPerHour } from '../../../purchase/limits.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { longDeadlines, startTestService, type TestService } from '../../support/service/test-service.js';

const markets = createSampleEventCopies();
const callers = 13;
let service: TestService;
let release: () => void;

beforeAll(async () => {
  service = await startTestService({ markets, isEmbedded: true, stageDeadlinesMs: longDeadlines });
});
afterAll(() => {
  release();
  return service.stop();
});

test('under `npm start` too, a purchase does not wait for the model calls of other runs', async () => {
  release = service.simulator.hold({});
  const answers: number[] = [];
  for (let i = 0; i < callers; i += 1) {
    const caller = await service.newCaller(1_000);
    for (let run = 0; run < runsPerHour; run += 1) {
      const { status } = await caller.buy(markets.retell('sample-fed-cut-2031'));
      answers.push(status);
    }
  }
  expect(answers).toEqual(Array.from({ length: callers * runsPerHour }, () => 202));
});
