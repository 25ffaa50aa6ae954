import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { CouncilReports } from '../../client/council-reports.js';
import { createSampleEventCopies } from '../support/record/sample-event-copies.js';
import { startTcpProxy } from '../support/service/tcp-proxy.js';
import { useTestService } from '../support/use-service.js';
import { startBatch, untilHeld } from '../workflows/support/batches.js';

const copies = createSampleEventCopies();
const service = await useTestService({ markets: copies });
const owner = await service.newCaller(100_000);
const eventIds = [
  copies.retell('sample-fed-cut-2031'),
  copies.retell('sample-fed-cut-2031'),
  'no-such-event',
];
const id = await startBatch(service, owner, { eventIds });
const clientOf = (options: Partial<ConstructorParameters<typeof CouncilReports>[0]> = {}) =>
  new CouncilReports({ apiKey: owner.key, baseUrl: service.url, ...options });

describe('the results of a batch, by the client', () => {
  test('follows a batch to its end, also through connections that break off', async () => {
    const proxy = await startTcpProxy(new URL(service.url).host);
    const { batches } = clientOf({ baseUrl: `http://${proxy.address}` });
    const names: string[] = [];
    for await (const { event } of batches.events(id)) {
      names.push(event);
      if (names.length !== 2) continue;
      await proxy.cut();
      await proxy.restore();
    }
    await proxy.cut();
    expect([...names].sort()).toEqual([
      'batch.completed',
      'row.ended',
      'row.ended',
      'row.ended',
      'row.started',
      'row.started',
    ]);
    expect(names.at(-1)).toBe('batch.completed');
  });

  test('reads the file of each format as the manifest names it', async () => {
    await untilHeld(service, id);
    const { batches } = clientOf();
    const { results } = await batches.manifest(id);
    for (const format of ['ndjson', 'csv', 'forecastbench'] as const) {
      const text = await batches.results(id, format);
      const sha256 = createHash('sha256').update(text).digest('hex');
      expect({ sha256, bytes: Buffer.byteLength(text) }).toEqual(results[format]);
    }
    expect(await batches.results(id)).toBe(await batches.results(id, 'ndjson'));
  });

  test('refuses a file that something has changed', async () => {
    const { batches } = clientOf({
      fetch: async (...args) => {
        const { headers } = await fetch(...args);
        return new Response('{"changed":true}\n', { headers });
      },
    });
    await expect(batches.results(id)).rejects.toMatchObject({ code: 'unexpected_answer' });
  });

  test('passes on that a batch is not there', async () => {
    const { batches } = clientOf();
    const unknown = '7b0f2a64-55d1-4c7e-9a43-2f1f0c9f6e10';
    await expect(batches.results(unknown)).rejects.toMatchObject({ code: 'not_found' });
    await expect(batches.manifest(unknown)).rejects.toMatchObject({ code: 'not_found' });
  });
});
