import { createHash } from 'node:crypto';
import express from 'express';
import pg from 'pg';
import { z } from 'zod';
import { shutdownRequested, tellReady } from '../../config/lifetime.js';
import { bareRead, bareVersion } from './bare-read.js';
import { bareSale } from './bare-sale.js';

/**
 * Two routes of Express on `pg` that put the same questions to the database as those of the service, and send
 * what they read as it is: what nobody who stays with Express and PostgreSQL can do without.
 */
const toldShape = z.object({ databaseUrl: z.string(), gammaUrl: z.string() });

const asked = shutdownRequested();
process.once('message', message => serve(toldShape.parse(message)));
tellReady({ ready: '' });
await asked;
process.exit(0);

function serve({ databaseUrl, gammaUrl }: z.infer<typeof toldShape>): void {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/api/reports/:id', async (request, response) => {
    const { account_id } = await holderOf(pool, request.get('x-api-key'));
    const { id } = request.params;
    const known = request.get('if-none-match');
    if (known !== undefined && known === etagOf(await bareVersion(pool, account_id, id))) {
      response.set('ETag', known).status(304).end();
      return;
    }
    const report = await bareRead(pool, account_id, id);
    response.set('ETag', etagOf(report)).json(report);
  });
  app.post('/api/reports', express.json(), async (request, response) => {
    const holder = await holderOf(pool, request.get('x-api-key'));
    response.json(await bareSale(pool, gammaUrl, { ...holder, eventId: request.body.event_id }));
  });
  const server = app.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object') process.send?.({ url: `http://127.0.0.1:${address?.port}` });
  });
}

function etagOf({ id, endedAt }: { id: number; endedAt: Date }): string {
  return `"${id}.${endedAt.getTime()}"`;
}

async function holderOf(pool: pg.Pool, key = ''): Promise<{ id: string; account_id: string }> {
  const { rows } = await pool.query(
    'select id, account_id, last_used_at from api_keys where key_hash = $1 and revoked_at is null',
    [createHash('sha256').update(key).digest()],
  );
  return rows[0];
}
