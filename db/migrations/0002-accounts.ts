import { type Kysely, sql } from 'kysely';

/** Accounts, their API keys, and the keys of their own at the vendors. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await accounts(db);
  await apiKeys(db);
  await providerKeys(db);
}

async function accounts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table accounts (
      id uuid primary key,
      issuer text not null,
      subject text not null,
      email text,
      created_at timestamptz not null default now(),
      email_verified_at timestamptz,
      suspended_at timestamptz,
      suspended_because text,
      unique (issuer, subject),
      constraint accounts_suspended check ((suspended_at is null) = (suspended_because is null))
    );
    create index accounts_email on accounts (lower(email))`.execute(db);
}

async function apiKeys(db: Kysely<unknown>): Promise<void> {
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
    );
    create index api_keys_live on api_keys (account_id) where revoked_at is null;
    create function api_keys_stay_revoked() returns trigger language plpgsql as $$
    begin
      if old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at then
        raise exception 'a revoked API key stays revoked' using errcode = 'restrict_violation';
      end if;
      if new.key_hash <> old.key_hash or new.account_id <> old.account_id then
        raise exception 'an API key keeps its hash and its account' using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;
    create trigger api_keys_stay_revoked before update on api_keys
    for each row execute function api_keys_stay_revoked()`.execute(db);
}

/** Sealed with AES-256-GCM. The lengths are checked, because a truncated tag would be weaker. */
async function providerKeys(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table provider_keys (
      id uuid primary key,
      account_id uuid not null references accounts (id),
      provider text not null check (provider in ('openai', 'anthropic', 'google', 'xai', 'openrouter')),
      kid text not null,
      iv bytea not null check (length(iv) = 12),
      tag bytea not null check (length(tag) = 16),
      ciphertext bytea not null check (length(ciphertext) > 0),
      last4 text not null check (length(last4) = 4),
      updated_at timestamptz not null,
      unique (account_id, provider)
    );
    create index provider_keys_kid on provider_keys (kid)`.execute(db);
}
