import { createHash } from 'node:crypto';
import express from 'express';
import pg from 'pg';
import { z } from 'zod';
import { shutdownRequested, tellReady } from '../../../platform/settings/lifetime.js';
import { barePurchase } from './bare-purchase.js';
import { bareRead, bareVersion } from './bare-read.js';

/**
 * Two Express routes on `pg` that run the same SQL statements as the service and send the rows unchanged: the
 * minimum cost with Express and PostgreSQL.
 */
const settingsShape = z.object({ databaseUrl: z.string(), gammaUrl: z.string() });

const shutdown = shutdownRequested();
process.once('message', message => serve(settingsShape.parse(message)));
tellReady({ ready: '' });
await shutdown;
process.exit(0);

function serve({ databaseUrl, gammaUrl }: z.infer<typeof settingsShape>): void {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/api/reports/:id', async (request, response) => {
    const { account_id } = await keyOwner(pool, request.get('x-api-key'));
    const { id } = request.params;
    const etag = request.get('if-none-match');
    if (etag !== undefined && etag === etagOf(await bareVersion(pool, account_id, id))) {
      response.set('ETag', etag).status(304).end();
      return;
    }
    const report = await bareRead(pool, account_id, id);
    response.set('ETag', etagOf(report)).json(report);
  });
  app.post('/api/reports', express.json(), async (request, response) => {
    const owner = await keyOwner(pool, request.get('x-api-key'));
    response.json(await barePurchase(pool, gammaUrl, { ...owner, eventId: request.body.event_id }));
  });
  const server = app.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object') process.send?.({ url: `http://127.0.0.1:${address?.port}` });
  });
}

function etagOf({ id, endedAt }: { id: number; endedAt: Date }): string {
  return `"${id}.${endedAt.getTime()}"`;
}

async function keyOwner(pool: pg.Pool, key = ''): Promise<{ id: string; account_id: string }> {
  const { rows } = await pool.query(
    'select id, account_id, last_used_at from api_keys where key_hash = $1 and revoked_at is null',
    [createHash('sha256').update(key).digest()],
  );
  return rows[0];
}
