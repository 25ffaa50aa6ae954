const entries = (change: string) => `update record_entries set ${change}`;
const other = (seq: number) =>
  entries(`payload = replace(payload, '"council":60', '"council":61') where seq = ${seq}`);
const relabelled = (seq: number) =>
  `update reports set simulated = false where id = (select report_id from record_entries where seq = ${seq})`;
const without = (seq: number) => `
  delete from record_entries where seq = ${seq};
  ${entries(`seq = seq + 100000 where seq > ${seq}`)};
  ${entries('seq = seq - 100001 where seq > 100000')}`;
/** One more entry, of a report that is not completed: a forecast that nobody bought. */
const oneMore = `
  ${entries('seq = seq + 100000 where seq > 50')};
  ${entries('seq = seq - 99999 where seq > 100000')};
  insert into reports (account_id, event_id, event_title, utc_day, workflow_id, lane, simulated, status, seed,
    failure_code, created_at, ended_at)
  select account_id, event_id, 'x', '1999-01-01', 'x', 'credits', true, 'failed', 's', 'internal', now(), now()
  from reports limit 1;
  insert into record_entries (seq, report_id, payload, previous_hash, hash, created_at, version, salt)
  select 51, (select max(id) from reports), replace(payload, '"report_id":', '"report_id":9'), sha256('a'), sha256('b'),
    created_at, version, salt from record_entries where seq = 50`;

export interface Tampering {
  readonly statements: string;
  readonly fault: RegExp;
  readonly isRehashed?: true;
  /** Where nothing is kept of an earlier run. */
  readonly isFirstRun?: true;
}

/** What somebody with all rights on the database could do to a record of 105 entries, and what a stranger finds. */
export const tamperings: Record<string, Tampering> = {
  'a changed forecast that is hidden': { statements: other(11), fault: /entry 11 does not have the hash/ },
  'a changed forecast that is shown': { statements: other(10), fault: /entry 10 does not have the hash/ },
  'a changed time': {
    statements: entries(`created_at = created_at - interval '1 day' where seq = 7`),
    fault: /entry 7 does not have the hash/,
  },
  'a simulated forecast that is labelled as live': {
    statements: relabelled(8),
    fault: /entry 8 does not have the hash/,
  },
  'an entry that is left out': {
    statements: 'delete from record_entries where seq = 61',
    fault: /entry 61 is left out/,
  },
  'an entry that is left out, the others renumbered': {
    statements: without(61),
    fault: /entry 61 does not follow/,
  },
  'an entry that is added in the middle': { statements: oneMore, fault: /entry 51 does not follow/ },
  'the newest entry that is left out': {
    statements: without(105),
    fault: /the chain had 105 entries on .*, and ends with entry 104/,
  },
  'a rewritten history': {
    statements: other(11),
    isRehashed: true,
    fault: /history was rewritten: entry 105 had another hash/,
  },
  'without a kept head, a rewritten history that was time-stamped before': {
    statements: other(11),
    isRehashed: true,
    isFirstRun: true,
    fault: /receipt 1 of \S+ is of another entry 100: the chain was rewritten/,
  },
  'without a kept head, a report that is left out of a rewritten history': {
    statements: without(61),
    isRehashed: true,
    isFirstRun: true,
    fault: /95 simulated reports were completed, but 94 are in the chain: one was left out/,
  },
  'without a kept head, an entry that is added to a rewritten history': {
    statements: oneMore,
    isRehashed: true,
    isFirstRun: true,
    fault: /95 simulated reports were completed, but 96 are in the chain: an entry was added/,
  },
};
