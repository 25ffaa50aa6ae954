import { type Kysely, sql } from 'kysely';

/**
 * The rules of events as they were read, a row whenever they differ from those before. As `json`, whose text is kept, so
 * that the database itself holds the hash to the text.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event_rules (
      event_id text not null references events (event_id),
      rules_sha256 text not null check (rules_sha256 = encode(sha256(convert_to(rules::text, 'UTF8')), 'hex')),
      rules json not null,
      first_seen_at timestamptz not null,
      primary key (event_id, first_seen_at, rules_sha256)
    );
    create trigger only_added before update or delete on event_rules
    for each row execute function reports_are_kept();
    create trigger never_truncated before truncate on event_rules
    for each statement execute function reports_are_kept()`.execute(db);
}
