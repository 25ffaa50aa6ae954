import { expect, test } from '@jest/globals';
import { readEventIds } from '../../../web/batches/read-event-ids.js';

test.each([
  ['one a line, each once', 'a\r\n b \n\nc\na\n', ['a', 'b', 'c']],
  ['one line', 'polymarket:12', ['polymarket:12']],
  ['a column of a CSV file', '\uFEFFtitle,event_id\n"Rain, or ""snow""\nin May",a\nSun,"b"\n', ['a', 'b']],
  ['a CSV file with one column', 'event_id\na\n', ['a']],
  ['NDJSON', '{"event_id":"a","n":1}\n\n{"event_id":"b"}', ['a', 'b']],
])('ids are read from %s', (_, text, ids) => {
  expect(readEventIds(text)).toEqual({ ids, problem: null });
});

test.each([
  ['nothing', ' \n', 'There is no event in it.'],
  ['a column without ids', 'event_id,title\n,b', 'There is no event in it.'],
  ['a CSV file without the column', 'id,title\na,b', 'Line 1 is not one id.'],
  ['a record without the column', 'title,event_id\na,b\nc', 'Record 2 has no event_id.'],
  ['JSON of another shape', '{"event_id":"a"}\n{"event_id":1}', 'Record 2 has no event_id.'],
  ['broken JSON', '{"event_id":', 'Record 1 has no event_id.'],
])('the problem is named where there is %s', (_, text, problem) => {
  expect(readEventIds(text)).toEqual({ ids: null, problem: expect.stringContaining(problem) });
});
