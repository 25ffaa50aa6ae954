import { createHash } from 'node:crypto';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';

/** A server session keeps each plan until it ends, some 20 to 100 kB each. */
const statementsMax = 150;
/** A statement that is sent less often in a process is not worth a plan that stays. */
const sendsBeforeNamed = 4;
/** Texts with lists of different lengths are different statements, so the counts must not grow without end. */
const countedMax = 1_000;

/**
 * Names the statements that a process sends often: PostgreSQL then parses and plans each once a session instead of each
 * time, which saves a quarter of its CPU time (ADR 22). The name is a hash of the text, so that processes that share a
 * session through a pooler mean the same statement by it.
 */
class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #sends = new Map<string, number>();

  /** Undefined for a statement that is sent unnamed. */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined || this.#names.size >= statementsMax || !keepsItsColumns(text)) return name;
    const sends = (this.#sends.get(text) ?? 0) + 1;
    if (this.#sends.size >= countedMax) this.#sends.clear();
    this.#sends.set(text, sends);
    if (sends >= sendsBeforeNamed) this.#names.set(text, hashOf(text));
    return this.#names.get(text);
  }
}

/** A migration that adds a column would break a kept `select *`: its result is not what it was. */
function keepsItsColumns(text: string): boolean {
  return !/[\s.]\*/.test(text);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

class PreparingClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  readonly #names: StatementNames;

  constructor(client: pg.PoolClient, names: StatementNames) {
    this.#client = client;
    this.#names = names;
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('cursors are not used');
    // A statement without parameters, such as `begin` and `commit`, is one message and needs no plan.
    const name = values.length === 0 ? undefined : this.#names.nameOf(text);
    return this.#client.query({ text, values: [...values], ...(name === undefined ? {} : { name }) });
  }

  release(): void {
    this.#client.release();
  }
}

/** The pool as the query builder uses it: statements that are sent often are prepared. */
export function preparing(pool: pg.Pool): PostgresPool {
  const names = new StatementNames();
  return {
    connect: async () => new PreparingClient(await pool.connect(), names),
    end: () => pool.end(),
  };
}
