import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { councilModels } from '../../../council/models.js';
import { verifyRecord } from '../../../db/track-record/verify-record.js';
import { cupMatch } from '../../council/fixtures.js';
import { completedReport, payloadOf, storedAnswers } from '../support/recorded-report.js';
import { inParallel, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const eventIdOf = async (reportId: number) =>
  (await world.sql('select event_id from reports where id = $1', [reportId]))[0].event_id;

describe('the record', () => {
  test('contains every sale and completion, in a chain that anyone can recompute', async () => {
    await inParallel(8, () => completedReport(world));
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
    const payload = await payloadOf(world, await completedReport(world));
    expect(payload).toMatchObject({
      record: 'record/2',
      method: 'council/2',
      model_ids: { claude: 'claude-1', gpt: 'gpt-1' },
      prompt_sha256: 'a'.repeat(64),
      completed_at: noon.toISOString(),
      queried_market: 'Canada',
    });
    expect(payload.outcomes).toHaveLength(3);
    expect(payload.outcomes[0]).toMatchObject({ name: 'Canada', council: 66, members: { grok: 66 } });
    expect(payload).toMatchObject({
      confidence: 68,
      outside_view: [{ outcome: 'Canada', probability: 59.1, members: councilModels }],
      resolution_risk: 3,
      market_gap: { outcome: 'Canada', council: 66, points: 10.2 },
    });
    const market = JSON.stringify({ ...cupMatch, eventId: await eventIdOf(payload.report_id) });
    expect(payload.market_sha256).toBe(createHash('sha256').update(market).digest('hex'));
    const lines = storedAnswers.map(
      ({ stage, model, answer }) => `${stage} ${model} ${JSON.stringify(answer)}`,
    );
    lines.sort();
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
