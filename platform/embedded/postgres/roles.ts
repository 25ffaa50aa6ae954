import { createHmac } from 'node:crypto';
import { Client } from 'pg';

/** The owner of the database, who migrates. Not a superuser, so that its SQL cannot reach the machine. */
const OWNER = 'council';

/** The role of API and workers. `db/service-role.ts` grants it what it needs, by this name. */
const SERVICE = 'council_service';

/** How to connect to the server as its superuser. */
export interface ServerAddress {
  readonly port: number;
  readonly password: string;
  readonly data: string;
}

/** The URLs of one database, for its owner and for the service. */
export interface DatabaseUrls {
  readonly ownerUrl: string;
  readonly url: string;
}

/**
 * Creates the two roles and the database if missing, also in a home of a release that had one role for both. Throws while
 * the server does not accept connections yet, and when another server answers on the port.
 */
export async function ensureDatabase({ port, password, data }: ServerAddress): Promise<DatabaseUrls> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 3_000,
    query_timeout: 30_000,
    application_name: 'council-start',
  });
  // The event for a connection that is lost between two queries would end a process that does not listen.
  client.on('error', () => undefined);
  const servicePassword = passwordOfService(password);
  try {
    await client.connect();
    const shown = await client.query<{ data_directory: string }>('SHOW data_directory');
    if (shown.rows[0]?.data_directory !== data) throw new Error(`another PostgreSQL answers on port ${port}`);
    // Each step is checked separately: a first start may have been killed between them.
    await createRole(client, OWNER, `LOGIN CREATEDB PASSWORD ${client.escapeLiteral(password)}`);
    await createRole(client, SERVICE, `LOGIN PASSWORD ${client.escapeLiteral(servicePassword)}`);
    // The owner can then end sessions of the service.
    await client.query(`GRANT ${SERVICE} TO ${OWNER}`);
    const database = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [OWNER]);
    if (database.rowCount === 0) await client.query(`CREATE DATABASE ${OWNER} OWNER ${OWNER}`);
  } finally {
    await client.end().catch(() => undefined);
  }
  const place = `127.0.0.1:${port}/${OWNER}`;
  return {
    ownerUrl: `postgres://${OWNER}:${password}@${place}`,
    url: `postgres://${SERVICE}:${servicePassword}@${place}`,
  };
}

/** Derived, not stored: the service's password says nothing about the owner's, and a home keeps one secret. */
function passwordOfService(ownerPassword: string): string {
  return createHmac('sha256', ownerPassword).update(SERVICE).digest('hex');
}

async function createRole(client: Client, name: string, options: string): Promise<void> {
  const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
  if (role.rowCount === 0) await client.query(`CREATE ROLE ${name} ${options}`);
}
