import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table accounts (
      id uuid primary key,
      issuer text not null,
      subject text not null,
      email text,
      created_at timestamptz not null default now(),
      unique (issuer, subject)
    )`.execute(db);
  await sql`
    create table api_keys (
      id uuid primary key,
      account_id uuid not null references accounts (id),
      name text not null check (length(name) between 1 and 100),
      key_prefix text not null,
      key_hash bytea not null unique check (length(key_hash) = 32),
      created_at timestamptz not null,
      last_used_at timestamptz,
      revoked_at timestamptz
    )`.execute(db);
  await sql`create index api_keys_live on api_keys (account_id) where revoked_at is null`.execute(db);
  await sql`
    create function api_keys_stay_revoked() returns trigger language plpgsql as $$
    begin
      if old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at then
        raise exception 'a revoked API key stays revoked' using errcode = 'restrict_violation';
      end if;
      if new.key_hash <> old.key_hash or new.account_id <> old.account_id then
        raise exception 'an API key keeps its hash and its account' using errcode = 'restrict_violation';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger api_keys_stay_revoked before update on api_keys
    for each row execute function api_keys_stay_revoked()`.execute(db);
}
