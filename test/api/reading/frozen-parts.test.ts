import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createFrozenParts } from '../../../api/reading/frozen-parts.js';
import { connect } from '../../../db/database.js';
import { twoSided } from '../../record/grade-fixtures.js';
import { plantReports } from '../../support/record/plant-record.js';
import { createTestDatabase, type TestDatabase } from '../../support/service/test-database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('immutable parts of a completed report are read once and then cached', async () => {
  const forecast = twoSided(70, 55, { claude: 75, gpt: 65 }, { event_id: 'one-event' });
  const [planted] = await plantReports(database, [forecast]);
  const reportId = planted?.report_id ?? 0;
  const { db, close } = connect(database.url, () => undefined);
  const read = createFrozenParts(db);
  const parts = await read(reportId);
  expect(parts.record?.seq).toBe(1);
  await close();
  expect(await read(reportId)).toEqual(parts);
  await expect(read(reportId + 1)).rejects.toThrow();
});
