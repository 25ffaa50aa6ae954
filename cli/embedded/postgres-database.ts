import { Client } from 'pg';

/** The role and the database of the service; not a superuser, so that a flaw in a query never reaches the machine. */
const NAME = 'council';

/** How to reach the server as its superuser. */
export interface ServerAddress {
  readonly port: number;
  readonly password: string;
  readonly data: string;
}

/**
 * Makes the service's role and database where missing, and answers the database's URL. Throws while the server does not
 * accept connections yet, and when another server than ours answers on the port.
 */
export async function ensureDatabase({ port, password, data }: ServerAddress): Promise<string> {
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
  // A connection lost between two queries is told by an event, which would otherwise end the whole process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const shown = await client.query<{ data_directory: string }>('SHOW data_directory');
    if (shown.rows[0]?.data_directory !== data) throw new Error(`another PostgreSQL answers on port ${port}`);
    await makeMissing(client, password);
  } finally {
    await client.end().catch(() => undefined);
  }
  // Nobody stands between the service and this server, so that plans may be kept with a connection.
  return `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}?prepared_statements=true`;
}

/** Each step is checked by itself: a first start may have been killed between them. */
async function makeMissing(client: Client, password: string): Promise<void> {
  const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [NAME]);
  if (role.rowCount === 0) {
    await client.query(`CREATE ROLE ${NAME} LOGIN CREATEDB PASSWORD ${client.escapeLiteral(password)}`);
  }
  const database = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [NAME]);
  if (database.rowCount === 0) await client.query(`CREATE DATABASE ${NAME} OWNER ${NAME}`);
}
