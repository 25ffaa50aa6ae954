import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { z } from 'zod';
import { lockHome } from '../../../platform/embedded/home-lock.js';
import { startEmbedded } from '../../../platform/embedded/start-embedded.js';
import { compileEmbedded, processesOn, query, runScript, scratchDirectory } from './support.js';

const scratch = await scratchDirectory();
const elsewhere = join(scratch, 'elsewhere');
const temporal = { namespace: 'council', port: 0, uiPort: 0, flags: [], env: process.env };
const both = { wantPostgres: true, wantTemporal: true, temporal, elsewhere };
const servicesShape = z.object({ ownerDatabaseUrl: z.string(), temporalAddress: z.string() });

test('services survive Ctrl-C until they are stopped, and are recovered after kill -9 of the parent', async () => {
  const home = join(scratch, 'killed');
  const text = `
    process.on('SIGINT', () => {});
    const { lockHome } = await import('./home-lock.js');
    const { startEmbedded } = await import('./start-embedded.js');
    const home = ${JSON.stringify(home)};
    await lockHome(home);
    const temporal = { namespace: 'council', port: 0, uiPort: 0, flags: [], env: process.env };
    const services = await startEmbedded({
      home, wantPostgres: true, wantTemporal: true, temporal, elsewhere: ${JSON.stringify(elsewhere)}, log: () => {} });
    console.log(JSON.stringify(services));`;
  const parent = runScript(await compileEmbedded(scratch), text);
  const old = servicesShape.parse(JSON.parse(await parent.firstLine));
  await expect(lockHome(home)).rejects.toThrow(`process ${parent.pid}`);
  process.kill(-parent.pid, 'SIGINT'); // what a terminal does on Ctrl-C: to the whole process group
  await query(old.ownerDatabaseUrl, 'CREATE TABLE kept AS SELECT 45 AS n');
  await (await Connection.connect({ address: old.temporalAddress })).close();
  process.kill(parent.pid, 'SIGKILL');
  await parent.exited;
  expect(await processesOn(home)).toHaveLength(2);

  const lock = await lockHome(home);
  const lines: string[] = [];
  const services = await startEmbedded({ ...both, home, log: line => lines.push(line) });
  expect(lines.filter(line => line.includes('left over'))).toHaveLength(2);
  expect(await query(services.ownerDatabaseUrl ?? '', 'SELECT n FROM kept')).toEqual([{ n: 45 }]);
  await services.stop();
  await lock.release();
  expect(await processesOn(home)).toEqual([]);
});

test('when one service fails to start, the other is stopped and the failure is thrown', async () => {
  const home = join(scratch, 'partial');
  await mkdir(home);
  const failing = { ...both, temporal: { ...temporal, flags: ['--no-such-flag'] } };
  await expect(startEmbedded({ ...failing, home, log: () => undefined })).rejects.toThrow('unknown flag');
  expect(await processesOn(home)).toEqual([]);
});

test('only the requested services are started, and an unexpected end is reported', async () => {
  const home = join(scratch, 'wanted');
  await mkdir(home);
  const services = await startEmbedded({ ...both, wantTemporal: false, home, log: () => undefined });
  expect(services.temporalAddress).toBeUndefined();
  const [pid = 0] = await processesOn(`postgres -D ${home}`);
  process.kill(pid, 'SIGQUIT');
  expect(await services.ended).toMatch(/^PostgreSQL ended/);
  await services.stop();
});
