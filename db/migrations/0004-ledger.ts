import { type Kysely, sql } from 'kysely';

/**
 * The double-entry ledger, in credits. `db/README.md` lists the rules; this migration makes the database
 * enforce them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await tables(db);
  await entriesMoveBalances(db);
  await transfersAddUpToZero(db);
  await nothingIsRewritten(db);
}

async function tables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ledger_accounts (
      id bigint generated always as identity primary key,
      name text not null,
      account_id uuid references accounts (id),
      balance_credits bigint not null default 0,
      unique nulls not distinct (name, account_id),
      check ((account_id is null) = (name like 'house_%')),
      constraint ledger_accounts_never_overdrawn check (account_id is null or balance_credits >= 0)
    );
    insert into ledger_accounts (name) values ('house_issued'), ('house_earned');
    create index ledger_accounts_account on ledger_accounts (account_id);
    create table ledger_transfers (
      id bigint generated always as identity primary key,
      operation_key text not null unique,
      kind text not null check (kind in ('purchase', 'grant', 'charge', 'refund', 'adjustment')),
      account_id uuid not null references accounts (id),
      report_id bigint references reports (id),
      api_key_id uuid references api_keys (id),
      reverses bigint unique references ledger_transfers (id),
      reason text not null,
      created_at timestamptz not null,
      written_by xid8 not null default pg_current_xact_id(),
      check ((kind = 'refund') = (reverses is not null))
    );
    create index ledger_transfers_account on ledger_transfers (account_id, id);
    create index ledger_transfers_written on ledger_transfers (written_by);
    create table ledger_entries (
      id bigint generated always as identity primary key,
      transfer_id bigint not null references ledger_transfers (id),
      ledger_account_id bigint not null references ledger_accounts (id),
      amount_credits bigint not null check (amount_credits <> 0),
      balance_after bigint not null,
      unique (transfer_id, ledger_account_id)
    );
    create index ledger_entries_account on ledger_entries (ledger_account_id, id)`.execute(db);
}

/**
 * Only an entry changes a balance, and it records the new balance. The balance is updated `after insert`: an
 * entry that is skipped as a duplicate (`on conflict do nothing`) also fires the `before` trigger.
 */
async function entriesMoveBalances(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function ledger_entry_notes_balance() returns trigger language plpgsql as $$
    begin
      if (select written_by from ledger_transfers where id = new.transfer_id) <> pg_current_xact_id() then
        raise exception 'transfer % is already written', new.transfer_id using errcode = 'restrict_violation';
      end if;
      select balance_credits + new.amount_credits into new.balance_after from ledger_accounts
      where id = new.ledger_account_id for no key update;
      return new;
    end $$;
    create trigger ledger_entry_notes_balance before insert on ledger_entries
    for each row execute function ledger_entry_notes_balance();
    create function ledger_entry_moves_balance() returns trigger language plpgsql as $$
    begin
      update ledger_accounts set balance_credits = new.balance_after
      where id = new.ledger_account_id and balance_credits = new.balance_after - new.amount_credits;
      if not found then
        raise exception 'two entries of one statement meet on account %', new.ledger_account_id
          using errcode = 'restrict_violation';
      end if;
      return null;
    end $$;
    create trigger ledger_entry_moves_balance after insert on ledger_entries
    for each row execute function ledger_entry_moves_balance();
    create function ledger_balance_moves_by_entry() returns trigger language plpgsql as $$
    begin
      if pg_trigger_depth() < 2 then
        raise exception 'a balance moves by a ledger entry only' using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;
    create trigger ledger_balance_moves_by_entry before update on ledger_accounts
    for each row execute function ledger_balance_moves_by_entry();
    create function ledger_account_opens_empty() returns trigger language plpgsql as $$
    begin
      if new.balance_credits <> 0 then
        raise exception 'a ledger account opens empty' using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;
    create trigger ledger_account_opens_empty before insert on ledger_accounts
    for each row execute function ledger_account_opens_empty()`.execute(db);
}

/**
 * Checked at commit, so the legs of a transfer can be written one by one. Checked for every leg too, so none
 * can be added after a transaction forced an early check (`set constraints … immediate`).
 */
async function transfersAddUpToZero(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function ledger_transfer_adds_up() returns trigger language plpgsql as $$
    declare
      judged bigint;
      legs integer;
      total bigint;
    begin
      if tg_table_name = 'ledger_transfers' then judged := new.id; else judged := new.transfer_id; end if;
      select count(*), coalesce(sum(amount_credits), 0) into legs, total
      from ledger_entries where transfer_id = judged;
      if legs < 2 or total <> 0 then
        raise exception 'transfer % has % legs that add up to %', judged, legs, total
          using errcode = 'check_violation';
      end if;
      return null;
    end $$`.execute(db);
  for (const table of ['ledger_transfers', 'ledger_entries']) {
    await sql`
      create constraint trigger ledger_transfer_adds_up after insert on ${sql.table(table)}
      deferrable initially deferred for each row execute function ledger_transfer_adds_up()`.execute(db);
  }
}

async function nothingIsRewritten(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function ledger_is_append_only() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end $$;
    create trigger kept before delete on ledger_accounts
    for each row execute function ledger_is_append_only();
    create trigger never_truncated before truncate on ledger_accounts
    for each statement execute function ledger_is_append_only()`.execute(db);
  for (const table of ['ledger_transfers', 'ledger_entries']) {
    await sql`
      create trigger append_only before update or delete on ${sql.table(table)}
      for each row execute function ledger_is_append_only();
      create trigger never_truncated before truncate on ${sql.table(table)}
      for each statement execute function ledger_is_append_only()`.execute(db);
  }
}
