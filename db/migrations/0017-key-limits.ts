import { type Kysely, sql } from 'kysely';

/**
 * What an API key may do, until when, and from where it was used. Keys of before, and those that release 1.0.0 mints
 * beside this one, may spend, have no end and no limit of their own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table api_keys
      add column if not exists scope text not null default 'spend',
      add column if not exists expires_at timestamptz,
      add column if not exists max_credits_per_day integer,
      add column if not exists last_used_from text,
      add column if not exists networks_seen text[] not null default '{}',
      drop constraint if exists api_keys_limits,
      add constraint api_keys_limits
        check (scope in ('read', 'spend') and (max_credits_per_day is null or max_credits_per_day >= 1)) not valid`.execute(
    db,
  );
  await sql`alter table api_keys validate constraint api_keys_limits`.execute(db);
  await keepLimits(db);
}

/** The owner has handed the key out with these limits: another limit is another key. */
async function keepLimits(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function api_keys_keep_limits() returns trigger language plpgsql as $$
    begin
      if (new.scope, new.expires_at, new.max_credits_per_day)
         is distinct from (old.scope, old.expires_at, old.max_credits_per_day) then
        raise exception 'an API key keeps its limits' using errcode = 'restrict_violation';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create or replace trigger api_keys_keep_limits before update on api_keys
    for each row execute function api_keys_keep_limits()`.execute(db);
}
