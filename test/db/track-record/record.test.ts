import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { conclude } from '../../../council/conclusion/conclude.js';
import type { Evidence } from '../../../council/evidence.js';
import { hashedEvidence } from '../../../db/digests.js';
import { saveEvent } from '../../../db/reports/events.js';
import { saveStageResult } from '../../../db/reports/run.js';
import { sealRecord } from '../../../db/track-record/seal-record.js';
import { verifyRecord } from '../../../db/track-record/verify-record.js';
import { freezeForecast } from '../../../record/recorded-forecast.js';
import { input } from '../../council/conclusion/conclude-input.js';
import { cupMatch } from '../../council/fixtures.js';
import { answeredCall, finish, freezeMarket, sell } from '../support/purchases.js';
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

/** A completed and recorded report with its own forecast, market and answer. */
async function completed(evidence: Evidence | null = null): Promise<number> {
  const event = { ...cupMatch, eventId: `cup-${randomUUID()}` };
  await saveEvent(world.db, event, noon);
  const { reportId } = await sell(world, { eventId: event.eventId });
  await freezeMarket(world.db, reportId, { event, queriedMarket: 'Canada', pricesAt: noon });
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
  await finish(world.db, reportId, { conclusion, forecast });
  await sealRecord(world.db);
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

const isoTime = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Hashes entries again, as someone would who rewrites history with care. */
const rehashEntries = `
  update record_entries set hash = sha256(convert_to(concat_ws(E'\\n', 'record-entry/2', seq, kind,
    coalesce(sale_seq::text, '-'), ${isoTime('created_at')}, ${isoTime('opens_by')}, 'simulated',
    encode(previous_hash, 'hex'), encode(sha256(salt || convert_to(payload, 'UTF8')), 'hex')), 'UTF8'))`;

const payloadOf = async (reportId: number) =>
  JSON.parse(
    (
      await world.sql(`select payload from record_entries where kind = 'completed' and report_id = $1`, [
        reportId,
      ])
    )[0].payload,
  );

const eventIdOf = async (reportId: number) =>
  (await world.sql('select event_id from reports where id = $1', [reportId]))[0].event_id;

describe('the record', () => {
  test('contains every sale and completion, in a chain that anyone can recompute', async () => {
    await inParallel(8, () => completed());
    const entries = await world.sql('select * from record_entries order by seq');
    let head = Buffer.alloc(32);
    for (const [index, entry] of entries.entries()) {
      expect(entry.seq).toBe(index + 1);
      expect(entry.previous_hash.equals(head)).toBe(true);
      const commitment = createHash('sha256').update(entry.salt).update(entry.payload).digest('hex');
      const lines = [
        'record-entry/2',
        entry.seq,
        entry.kind,
        entry.sale_seq ?? '-',
        entry.created_at.toISOString(),
        entry.opens_by.toISOString(),
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
      record: 'record/2',
      method: 'council/2',
      model_ids: { claude: 'claude-1', gpt: 'gpt-1' },
      prompt_sha256: 'a'.repeat(64),
      completed_at: noon.toISOString(),
      queried_market: 'Canada',
    });
    expect(payload.outcomes).toHaveLength(3);
    expect(payload.outcomes[0]).toMatchObject({ name: 'Canada', council: 62, members: { grok: 62 } });
    const market = JSON.stringify({ ...cupMatch, eventId: await eventIdOf(payload.report_id) });
    expect(payload.market_sha256).toBe(createHash('sha256').update(market).digest('hex'));
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

  /** Expects verification to report the change of a report that another one follows, then reverts it. */
  async function expectFault(
    evidence: Evidence | null,
    change: (id: number, conclusion: string, next: number) => string,
    fault: string,
  ): Promise<void> {
    const [id, next] = [await completed(evidence), await completed()];
    const [{ text }] = await world.sql('select conclusion::text as text from reports where id = $1', [id]);
    expect((await verifyRecord(world.db)).faults).toEqual([]);
    await tamper(`${keep}; ${change(id, text, next)}`);
    const { faults } = await verifyRecord(world.db);
    await tamper(restore);
    const named = fault.replace('<id>', String(id)).replace('<next>', String(next));
    expect(faults.join('\n')).toMatch(new RegExp(named));
    expect((await verifyRecord(world.db)).faults).toEqual([]);
  }

  const keep = tables.map(table => `create table kept_${table} as select * from ${table}`).join(';');
  const restore = `
    delete from record_entries; insert into record_entries select * from kept_record_entries;
    delete from stage_results; insert into stage_results select * from kept_stage_results;
    update reports set conclusion = kept.conclusion, event = kept.event from kept_reports as kept where kept.id = reports.id;
    drop table ${tables.map(table => `kept_${table}`).join(', ')}`;

  const forecast = (id: number) =>
    `update record_entries set payload = replace(payload, '"council":62', '"council":63') where report_id = ${id}`;
  const report = (id: number, change: string) => `update reports set ${change} where id = ${id}`;
  const gpts = (id: number) => `stage_results where report_id = ${id} and model = 'gpt'`;

  test.each<[what: string, change: (id: number, conclusion: string, next: number) => string, fault: string]>([
    ['a changed forecast, by its hash', forecast, 'does not match its hash'],
    [
      'a changed forecast that is hashed again, by the next entry',
      id => `${forecast(id)}; ${rehashEntries} where report_id = ${id}`,
      'does not chain to the previous entry[\\s\\S]*has another forecast',
    ],
    [
      'a newest report that was dropped from the record',
      (_id, _conclusion, next) => `delete from record_entries where report_id = ${next}`,
      'report <next> is completed but not in the record',
    ],
    [
      'an earlier report that was dropped from the record',
      id => `delete from record_entries where report_id = ${id}`,
      'are missing[\\s\\S]*does not chain',
    ],
    [
      'a changed conclusion',
      id => report(id, `conclusion = replace(conclusion::text, '62', '12')::json`),
      'another forecast',
    ],
    [
      'a changed stake of a bet',
      (id, text) => setConclusion(id, text.replace(/"stake_fraction":[\d.]+/, '"stake_fraction":0.0499')),
      'report <id> has another forecast than the record',
    ],
    [
      'a changed market snapshot',
      id => report(id, `event = replace(event::text, '0.55', '0.25')::json`),
      'another market',
    ],
    [
      'a changed answer',
      id => `update ${gpts(id).replace('where', `set answer = '{"text":"other"}' where`)}`,
      'other answers',
    ],
    ['a removed answer', id => `delete from ${gpts(id)}`, 'other answers'],
    [
      'evidence that was added to a report without any',
      (id, text) => setConclusion(id, withEvidence(text, found, summaryOf(found))),
      'report <id> has other evidence than the record',
    ],
  ])('%s', (_, change, fault) => expectFault(null, change, fault));

  const setConclusion = (id: number, conclusion: string) => report(id, `conclusion = $$${conclusion}$$`);
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
  ])('the evidence of a report with %s', (_, change) =>
    expectFault(
      found,
      (id, text) => {
        expect(change(text)).not.toBe(text);
        return setConclusion(id, change(text));
      },
      'report <id> has other evidence than the record',
    ),
  );

  test.each(['{}', 'null', '[1]'])('a conclusion that is %s, and no conclusion any more', unreadable =>
    expectFault(
      found,
      id => setConclusion(id, unreadable),
      'report <id> has another forecast than the record',
    ),
  );
});
