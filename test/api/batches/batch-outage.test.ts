import { afterAll, expect, test } from '@jest/globals';
import { askForBatch } from '../../support/ask-for-batch.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { startTcpProxy } from '../../support/service/tcp-proxy.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const temporal = await startTcpProxy(process.env['TEST_TEMPORAL_ADDRESS'] ?? '');
const service = await useTestService({ temporalAddress: temporal.address, worker: false });
afterAll(() => temporal.cut());

test('a batch that could not be started is started by the same request', async () => {
  const caller = await service.newCaller(1_000);
  const headers = { 'idempotency-key': 'through-the-outage' };
  const ask = () => askForBatch(caller, { events: ['no-such-event'] }, { headers });
  await temporal.cut();
  const refused = await ask();
  expectProblem(refused, 'unavailable');
  expect(refused.body.outcome).toBe('unknown');
  const { batches } = (await caller.get('/api/batches')).body;
  expect(batches).toMatchObject([{ status: 'running', rows: { waiting: 1 } }]);
  const [{ batch_id: id }] = batches;
  const change = await caller.patch(`/api/batches/${id}`, { status: 'paused' });
  expectProblem(change, 'unavailable');
  expect((await caller.get(`/api/batches/${id}`)).body.status).toBe('running');

  await temporal.restore();
  const again = await until('Temporal is reached again', ask, ({ status }) => status !== 503);
  expect(again).toMatchObject({ status: 201, body: { batch_id: id } });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  await service.startWorker();
  await until(
    'the batch has ended',
    () => caller.get(`/api/batches/${id}`),
    ({ body }) => body.status === 'completed',
  );
});
