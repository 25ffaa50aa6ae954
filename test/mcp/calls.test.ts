import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, jest, test } from '@jest/globals';
import { CouncilProblem } from '../../client/council-problem.js';
import { type ProblemCode, problems } from '../../contract/problems.js';
import type { ProblemView } from '../../contract/service.js';
import { handleMcpRequest } from '../../mcp/server/http.js';
import { progressNotices } from '../../mcp/tools/call.js';
import { ToolProblem, toolProblemCodes, toolProblemShape } from '../../mcp/tools/tool-problem.js';
import { failedExample, reportExample, runningExample } from '../support/expect/examples.js';

test('progress counts the search as the first of four stages, and ends with the verdict only', async () => {
  const sendNotification = jest.fn<(notification: unknown) => Promise<void>>().mockResolvedValue(undefined);
  const { onProgress, onRead } = progressNotices({ progressToken: 7, sendNotification });
  const at = (stage: 'research' | 'cross_review' | 'synthesis' | 'conclusion', done: number, of: number) => ({
    stage,
    done,
    of,
    answered: [],
  });
  const researching = at('research', 1, 3);
  const reviewing = at('cross_review', 2, 4);
  for (const each of [researching, researching, reviewing, at('synthesis', 1, 1), at('conclusion', 0, 1)])
    await onProgress(each);
  await onRead(reportExample);
  const params = [
    { progress: 1 / 3, message: 'research: 1 of 3 models' },
    { progress: 2.5, message: 'cross_review: 2 of 4 models' },
    { progress: 4, message: 'completed' },
  ].map(each => ({ progressToken: 7, total: 4, ...each }));
  expect(sendNotification.mock.calls).toEqual(
    params.map(each => [{ method: 'notifications/progress', params: each }]),
  );
  await onRead(failedExample);
  expect(sendNotification).toHaveBeenCalledTimes(3);
});

test('a disconnected client’s API request is aborted', async () => {
  let markRequested = () => {};
  let markAborted = () => {};
  const requested = new Promise<void>(resolve => (markRequested = resolve));
  const aborted = new Promise<void>(resolve => (markAborted = resolve));
  // A service that returns the progress once and then never responds.
  const service = createServer((request, response) => {
    if (request.headers['prefer'] === undefined) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(runningExample));
      return;
    }
    expect(request.headers['prefer']).toMatch(/^wait=5$/);
    response.once('close', markAborted);
    markRequested();
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const { port } = service.address() as AddressInfo;
  const client = new AbortController();
  const params = { name: 'get_report', arguments: { report_id: 1, wait_seconds: 50 } };
  const answer = await handleMcpRequest({
    request: new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    }),
    api: { baseUrl: `http://127.0.0.1:${port}`, headers: {} },
    disconnected: client.signal,
    onError: error => expect(error).toBe('nothing'),
  });
  await requested;
  client.abort();
  await aborted;
  expect(await answer.text()).toBe('');
  service.closeAllConnections();
  await new Promise(resolve => service.close(resolve));
});

test.each(toolProblemCodes)('the error %s has a next step in a full sentence', code => {
  const document = new ToolProblem(code, 'It did not work.').toDocument();
  expect(toolProblemShape.parse(document)).toEqual(document);
  expect(document.next_step).toMatch(/^[A-Z].{20,}\.$/s);
  expect(document.next_step).not.toMatch(/undefined|NaN/);
});

test.each<[ProblemCode, fields: Partial<ProblemView>, nextStep: RegExp]>([
  [
    'insufficient_credits',
    { cost_credits: 120, balance_credits: 7 },
    /costs 120 credits and they have 7.*buy/,
  ],
  ['event_closed', {}, /search_events/],
  ['event_not_found', {}, /search_events/],
  ['lane_unavailable', { lane: 'byok', missing: ['openai', 'xai'] }, /lane byok.*missing: openai, xai/],
  ['run_limit_exceeded', {}, /Wait 3488 seconds/],
  ['unavailable', {}, /nothing was charged\. Wait 3488 seconds/],
])('the problem %s of the API keeps its fields %j, and gets a next step', (code, fields, nextStep) => {
  const { title, status } = problems[code];
  const document = { type: 'x', title, status, detail: 'No.', code, request_id: 'r-1', ...fields };
  const details = { baseUrl: 'http://council.test', document, retryAfterSeconds: 3_488 };
  const { next_step, ...error } = ToolProblem.of(new CouncilProblem(code, 'No.', details)).toDocument();
  expect(error).toEqual({ code, detail: 'No.', request_id: 'r-1', retry_after_seconds: 3_488, ...fields });
  expect(next_step).toMatch(nextStep);
});

test('an error can have every code of the API and a few others', () => {
  expect(toolProblemCodes).toEqual(expect.arrayContaining(Object.keys(problems)));
  expect(new Set(toolProblemCodes).size).toBe(toolProblemCodes.length);
});
