import { describe, expect, test } from '@jest/globals';
import { readEventList } from '../../../cli/commands/batch/read-event-list.js';
import { batchRowsMax } from '../../../purchase/limits.js';
import { manyIds } from '../../workflows/support/many-events.js';

function idsIn(text: string): readonly string[] {
  const list = readEventList(text);
  if (list.kind !== 'events') throw new Error('the file was read as questions');
  return list.events.map(({ eventId }) => eventId);
}

describe('a list of events is recognised by its content', () => {
  test.each([
    ['ids one a line', '# March\n\none\n  two  # the second\r\nkalshi:KX-1\n'],
    ['CSV', 'title,event_id\n"A, quoted\ntitle",one\n# no comment,two\n\n"",kalshi:KX-1\n'],
    ['CSV of one column', '"event_id"\none\n"two"\nkalshi:KX-1'],
    ['NDJSON', '{"event_id":"one","title":"#"}\n\n{"event_id":"two"}\r\n{"event_id":"kalshi:KX-1"}'],
    ['a file with a byte order mark', '\uFEFFevent_id,x\none,1\ntwo,2\nkalshi:KX-1,3\n'],
  ])('%s', (_what, text) => {
    expect(idsIn(text)).toEqual(['one', 'two', 'kalshi:KX-1']);
  });

  test('one JSON object is a line of NDJSON', () => {
    expect(idsIn('{"event_id":"one"}')).toEqual(['one']);
  });

  test('a question set of ForecastBench', () => {
    const questions = [
      {
        id: '0x1',
        source: 'polymarket',
        question: 'Rain?',
        url: 'https://polymarket.com/market/rain',
        more: 1,
      },
      { id: ['a', 'b'], source: 'fred' },
    ];
    expect(readEventList(JSON.stringify({ question_set: 'x.json', questions }, null, 2))).toEqual({
      kind: 'questions',
      questions: [
        {
          place: 'question 1',
          id: '0x1',
          source: 'polymarket',
          question: 'Rain?',
          url: 'https://polymarket.com/market/rain',
          isCombination: false,
        },
        { place: 'question 2', id: 'a and b', source: 'fred', question: '', url: '', isCombination: true },
      ],
    });
  });
});

test.each([
  ['no id', 'one\n\nnot an id\n', /^Line 3 is no id of an event: not an id$/],
  ['an unknown venue', 'one\nnowhere:two', /^Line 2 is no id/],
  [
    'an id twice',
    'kalshi:KX-1\n# again\nKALSHI:kx-1',
    /^Line 3 names the event of line 1 again: KALSHI:kx-1\.$/,
  ],
  ['an id with and without its venue', 'event_id,x\n7,1\npolymarket:7,2', /^Line 3 names .* line 2 again/],
  [
    'a table without the column',
    'id,title\none,x',
    /^Line 1 is a header without a column event_id: id,title$/,
  ],
  ['an empty cell', 'event_id,title\none,x\n,y', /^Line 3 is no id/],
  ['a row of another length', 'event_id,title\none', /^The file is not a CSV table: .*line 2/],
  ['a line without event_id', '{"event_id":"one"}\n{"id":"two"}', /^Line 2 is no JSON object/],
  ['broken JSON', '{"event_id":"one"}\n{"event_id":', /^Line 2 is no JSON object/],
  ['a JSON list', '["one"]', /^Line 1 is no JSON object/],
  ['a question without a source', '{"questions":[{"id":"x","source":"y"},{"id":"z"}]}', /^Question 2 /],
  ['nothing', '\n# only a comment\n', /names no event/],
  ['too many', manyIds(batchRowsMax + 1).join('\n'), /names 501 events; a batch has at most 500/],
])('a file with %s is refused by name', (_what, text, message) => {
  expect(() => readEventList(text)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(message), exitCode: 2 }),
  );
});

test('a batch of the most rows is read', () => {
  expect(idsIn(manyIds(batchRowsMax).join('\n'))).toHaveLength(batchRowsMax);
});
