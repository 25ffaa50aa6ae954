import type { ColumnType, JSONColumnType } from 'kysely';

/** Written with the row, and never again. */
export type Frozen<T> = ColumnType<T, T, never>;
export type FrozenJson<T extends object> = JSONColumnType<T, string, never>;

/** Empty at first, and written once. */
export type LateJson<T extends object> = ColumnType<T | null, never, string>;
