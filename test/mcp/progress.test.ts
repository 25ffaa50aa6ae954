import { expect, jest, test } from '@jest/globals';
import { CouncilClient } from '../../client/council-client.js';
import type { ReportView } from '../../contract/reports.js';
import { createCall } from '../../mcp/tools/call.js';
import { failedExample, reportExample, runningExample } from '../support/expect/examples.js';

test('progress counts the search as the first of four stages, and ends with the verdict only', async () => {
  const sendNotification = jest.fn<(notification: unknown) => Promise<void>>().mockResolvedValue(undefined);
  const { reportProgress } = createCall(new CouncilClient({ baseUrl: 'http://127.0.0.1:1', headers: {} }), {
    _meta: { progressToken: 7 },
    signal: new AbortController().signal,
    sendNotification,
    requestId: 1,
    sendRequest: () => Promise.reject(new Error('the tools ask the client nothing')),
  });
  const at = (stage: 'research' | 'cross_review' | 'synthesis', done: number, of: number): ReportView => ({
    ...runningExample,
    progress: { stage, done, of, answered: [] },
  });
  const researching = at('research', 1, 3);
  for (const report of [
    researching,
    researching,
    at('cross_review', 2, 4),
    at('synthesis', 1, 1),
    reportExample,
  ])
    await reportProgress(report);
  const sent = sendNotification.mock.calls.map(([notification]) => notification);
  expect(sent).toEqual(
    [
      { progress: 1 / 3, message: 'research: 1 of 3 models' },
      { progress: 2.5, message: 'cross_review: 2 of 4 models' },
      { progress: 4, message: 'completed' },
    ].map(params => ({
      method: 'notifications/progress',
      params: { progressToken: 7, total: 4, ...params },
    })),
  );
  await reportProgress(failedExample);
  expect(sendNotification).toHaveBeenCalledTimes(3);
});
