import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { conclude } from '../../../council/conclusion/conclude.js';
import type { Evidence } from '../../../council/evidence.js';
import { hashedEvidence } from '../../../db/digests.js';
import { completeReport } from '../../../db/reports/complete-report.js';
import { saveStageResult } from '../../../db/reports/run.js';
import { verifyRecord } from '../../../db/track-record/record.js';
import { freezeForecast } from '../../../record/recorded-forecast.js';
import { input } from '../../council/conclusion/conclude-input.js';
import { cupMatch } from '../../council/fixtures.js';
import { answeredCall, bought, freezeMarket, newSalt } from '../support/purchases.js';
import { inParallel, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

/** What a search found, with a title that PostgreSQL reads in no JSON. */
const found: Evidence = {
  status: 'partial',
  as_of: noon.toISOString(),
  searches: 3,
  items: [
    {
      id: 'S1',
      text: 'Canada’s \u201cfirst\u201d choice \u2028 is fit.',
      url: 'https://news.example.org/canada',
      domain: 'news.example.org',
      title: 'Half a pair \ud800 and a NUL \u0000',
      published_at: null,
      retrieved_at: noon.toISOString(),
      found_by: ['claude'],
    },
  ],
  removed: { market_sources: 0, odds_statements: 1, duplicates: 0, other: 0 },
  failures: { grok: 'timed out' },
};

/** A completed report with its own forecast, market and answer. */
async function completed(evidence: Evidence | null = null): Promise<number> {
  const accountId = await world.openAccount(1_000);
  const { reportId } = await bought(world.db, { accountId, eventId: await world.openEvent() });
  await freezeMarket(world.db, reportId, { event: cupMatch, queriedMarket: 'Canada', pricesAt: noon });
  for (const model of ['claude', 'gpt'] as const) {
    const answer = { text: `of ${model}` };
    const call = answeredCall(reportId, { model, modelId: `${model}-1` });
    await saveStageResult(world.db, { answer, call, latencyMs: 1, now: noon });
  }
  const drawn = input({ evidence: evidence && hashedEvidence(evidence) });
  const conclusion = conclude(drawn);
  const forecast = freezeForecast({
    reportId,
    input: drawn,
    conclusion,
    modelIds: { claude: 'claude-1', gpt: 'gpt-1' },
    promptSha256: 'a'.repeat(64),
    completedAt: noon.toISOString(),
  });
  await completeReport(world.db, reportId, {
    conclusion,
    dropouts: [],
    forecast,
    salt: newSalt(),
    now: noon,
  });
  return reportId;
}

const tables = ['record_entries', 'reports', 'stage_results'];

/** Runs statements with triggers disabled, as a database owner could. */
async function tamper(statement: string): Promise<void> {
  await world.together(async client => {
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
    await client.query(statement);
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
  });
}

/** Hashes entries again, as someone would who rewrites history with care. */
const rehashEntries = `
  update record_entries set hash = sha256(convert_to(concat_ws(E'\\n', 'record-entry/1', seq,
    to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'simulated', encode(previous_hash, 'hex'),
    encode(sha256(salt || convert_to(payload, 'UTF8')), 'hex')), 'UTF8'))`;

const payloadOf = async (reportId: number) =>
  JSON.parse(
    (await world.sql('select payload from record_entries where report_id = $1', [reportId]))[0].payload,
  );

describe('the record', () => {
  test('contains every completed report, in a chain that anyone can recompute', async () => {
    await inParallel(8, () => completed());
    const entries = await world.sql('select * from record_entries order by seq');
    let head = Buffer.alloc(32);
    for (const [index, entry] of entries.entries()) {
      expect(entry.seq).toBe(index + 1);
      expect(entry.previous_hash.equals(head)).toBe(true);
      const commitment = createHash('sha256').update(entry.salt).update(entry.payload).digest('hex');
      const lines = [
        'record-entry/1',
        entry.seq,
        entry.created_at.toISOString(),
        'simulated',
        head.toString('hex'),
        commitment,
      ];
      head = createHash('sha256').update(lines.join('\n')).digest();
      expect(entry.hash.equals(head)).toBe(true);
    }
    expect(await verifyRecord(world.db)).toEqual({
      entries: entries.length,
      head: head.toString('hex'),
      faults: [],
    });
  });

  test('freezes forecast, prices, models, prompt, method, answers and market', async () => {
    const payload = await payloadOf(await completed());
    expect(payload).toMatchObject({
      record: 'record/1',
      method: 'council/1',
      model_ids: { claude: 'claude-1', gpt: 'gpt-1' },
      prompt_sha256: 'a'.repeat(64),
      completed_at: noon.toISOString(),
      queried_market: 'Canada',
    });
    expect(payload.outcomes).toHaveLength(3);
    expect(payload.outcomes[0]).toMatchObject({ name: 'Canada', council: 62, members: { grok: 62 } });
    expect(payload.market_sha256).toBe(createHash('sha256').update(JSON.stringify(cupMatch)).digest('hex'));
    const lines = ['claude', 'gpt'].map(model => `opinions ${model} {"text":"of ${model}"}`);
    expect(payload.answers_sha256).toBe(createHash('sha256').update(lines.join('\n')).digest('hex'));
  });

  test.each([
    'update record_entries set payload = payload',
    'delete from record_entries',
    'truncate record_entries cascade',
  ])('rejects: %s', async statement => {
    await expect(world.sql(statement)).rejects.toThrow(/keeps its rows/);
  });
});

describe('verification, with triggers disabled, detects', () => {
  test('nothing where nothing was changed, whatever the pages hold that were found', async () => {
    const id = await completed(found);
    const { evidence } = await payloadOf(id);
    expect(evidence).toEqual({
      status: 'partial',
      items: 1,
      sha256: createHash('sha256').update(JSON.stringify(found)).digest('hex'),
    });
    expect((await verifyRecord(world.db)).faults).toEqual([]);
  });

  /** Expects verification to report the change, then reverts it. */
  async function expectFault(change: string, undo: string, fault: RegExp): Promise<void> {
    expect((await verifyRecord(world.db)).faults).toEqual([]);
    await tamper(change);
    const { faults } = await verifyRecord(world.db);
    await tamper(undo);
    expect(faults.join('\n')).toMatch(fault);
    expect((await verifyRecord(world.db)).faults).toEqual([]);
  }

  test('a changed forecast, by its hash, or by the next entry’s if rehashed', async () => {
    const [first] = [await completed(), await completed()];
    await expectFault(
      `create table kept as select * from record_entries; update record_entries set payload = replace(payload, '"council":62', '"council":63') where report_id = ${first}`,
      `update record_entries set payload = kept.payload from kept where kept.seq = record_entries.seq; drop table kept`,
      /does not match its hash/,
    );
    await expectFault(
      `create table kept as select * from record_entries;
       update record_entries set payload = replace(payload, '"council":62', '"council":63') where report_id = ${first};
       ${rehashEntries} where report_id = ${first}`,
      `update record_entries set payload = kept.payload, hash = kept.hash from kept where kept.seq = record_entries.seq; drop table kept`,
      /does not chain to the previous entry[\s\S]*has another forecast/,
    );
  });

  test('a report that was dropped from the record, even if entries were renumbered', async () => {
    const [, last] = [await completed(), await completed()];
    await expectFault(
      `create table kept as select * from record_entries where report_id = ${last}; delete from record_entries where report_id = ${last}`,
      `insert into record_entries select * from kept; drop table kept`,
      new RegExp(`report ${last} is completed but not in the record`),
    );
    await expectFault(
      `create table kept as select * from record_entries where report_id = ${last - 1}; delete from record_entries where report_id = ${last - 1}`,
      `insert into record_entries select * from kept; drop table kept`,
      /are missing[\s\S]*does not chain/,
    );
  });

  test.each([
    ['a changed conclusion', `conclusion = replace(conclusion::text, '62', '12')::json`, /another forecast/],
    ['a changed market snapshot', `event = replace(event::text, '0.55', '0.25')::json`, /another market/],
  ])('%s', async (_, change, fault) => {
    const id = await completed();
    await expectFault(
      `create table kept as select id, conclusion, event from reports where id = ${id}; update reports set ${change} where id = ${id}`,
      `update reports set conclusion = kept.conclusion, event = kept.event from kept where kept.id = reports.id; drop table kept`,
      fault,
    );
  });

  const conclusionOf = async (id: number): Promise<string> =>
    (await world.sql('select conclusion::text as text from reports where id = $1', [id]))[0].text;
  const setConclusion = (id: number, conclusion: string) =>
    `update reports set conclusion = $$${conclusion}$$ where id = ${id}`;
  /** The conclusion with this evidence and summary. */
  const withEvidence = (text: string, evidence: Evidence | null, summary: object | null) => {
    const { runtime, ...rest } = JSON.parse(text);
    return JSON.stringify({ ...rest, evidence, runtime: { ...runtime, evidence: summary } });
  };
  const summaryOf = (evidence: Evidence, more: object = {}) => ({
    status: evidence.status,
    items: evidence.items.length,
    sha256: hashedEvidence(evidence).sha256,
    ...more,
  });
  const other: Evidence = { ...found, searches: 4 };

  test.each([
    ['a changed statement', (text: string) => text.replace('is fit.', 'is not fit.')],
    ['a changed page', (text: string) => text.replace('news.example.org/canada', 'other.example.org/')],
    ['a changed count', (text: string) => text.replace('"odds_statements":1', '"odds_statements":0')],
    ['another hash', (text: string) => withEvidence(text, found, summaryOf(other))],
    ['another status', (text: string) => withEvidence(text, found, summaryOf(found, { status: 'searched' }))],
    ['other evidence of right hash', (text: string) => withEvidence(text, other, summaryOf(other))],
    ['no evidence any more', (text: string) => withEvidence(text, null, null)],
  ])('the evidence of a report with %s', async (_, change) => {
    const id = await completed(found);
    const text = await conclusionOf(id);
    expect(change(text)).not.toBe(text);
    await expectFault(
      setConclusion(id, change(text)),
      setConclusion(id, text),
      new RegExp(`report ${id} has other evidence than the record`),
    );
  });

  test('evidence that was added to a report without any', async () => {
    const id = await completed();
    const text = await conclusionOf(id);
    await expectFault(
      setConclusion(id, withEvidence(text, found, summaryOf(found))),
      setConclusion(id, text),
      new RegExp(`report ${id} has other evidence than the record`),
    );
  });

  test('a conclusion that is no conclusion any more', async () => {
    const id = await completed(found);
    const text = await conclusionOf(id);
    for (const unreadable of ['{}', 'null', '[1]']) {
      await expectFault(
        setConclusion(id, unreadable),
        setConclusion(id, text),
        new RegExp(`report ${id} has another forecast than the record`),
      );
    }
  });

  test('a changed or removed answer', async () => {
    const id = await completed();
    await expectFault(
      `update stage_results set answer = '{"text":"other"}' where report_id = ${id} and model = 'gpt'`,
      `update stage_results set answer = '{"text":"of gpt"}' where report_id = ${id} and model = 'gpt'`,
      /other answers/,
    );
    const gpts = `report_id = ${id} and model = 'gpt'`;
    await expectFault(
      `create table kept as select * from stage_results where ${gpts}; delete from stage_results where ${gpts}`,
      'insert into stage_results select * from kept; drop table kept',
      /other answers/,
    );
  });
});
