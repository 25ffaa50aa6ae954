import { createHash } from 'node:crypto';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';

/**
 * A pool whose connections have a statement that was asked before run by its name: the database reads and plans its text once
 * a connection, not each time.
 */
export function withPreparedStatements(pool: pg.Pool): PostgresPool {
  return {
    connect: async () => new PreparingClient(await pool.connect()),
    end: () => pool.end(),
  };
}

/**
 * A statement of more parameters writes rows in bulk: it differs with their number, and the database would keep each of its
 * forms in its memory for as long as the connection lives.
 */
const preparedParametersMax = 64;

class PreparingClient implements PostgresPoolClient {
  private readonly client: NamingClient;

  constructor(client: NamingClient) {
    this.client = client;
  }

  query<Row>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(asked: string | PostgresCursor<Row>, parameters: readonly unknown[] = []) {
    if (typeof asked !== 'string') return this.client.query(asked);
    const values = [...parameters];
    const isBulk = values.length > preparedParametersMax;
    return this.client.query<Row>(
      isBulk ? { text: asked, values } : { name: statementName(asked), text: asked, values },
    );
  }

  release(): void {
    this.client.release();
  }
}

interface NamingClient {
  query<Row>(statement: {
    name?: string;
    text: string;
    values: unknown[];
  }): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  release(): void;
}

const names = new Map<string, string>();

/** The same text has the same name in every process; two texts never share one. */
export function statementName(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(text).digest('base64url');
  names.set(text, name);
  return name;
}
