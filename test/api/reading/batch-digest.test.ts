import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { withDigest } from '../../../api/reading/batch-exports.js';

async function* piecesOf(texts: readonly string[]) {
  yield* texts;
}

async function sentOf(texts: readonly string[], promised: string): Promise<string[]> {
  const sent: string[] = [];
  const sha256 = createHash('sha256').update(promised).digest();
  const pieces = withDigest(piecesOf(texts), { sha256, bytes: promised.length });
  for await (const piece of pieces) sent.push(piece);
  return sent;
}

test('a file is sent whole if it is the one of its digest', async () => {
  expect(await sentOf(['a', 'b', 'c'], 'abc')).toEqual(['a', 'b', 'c']);
});

test.each([[['a', 'x', 'c']], [['x']], [['a', 'b', 'c', 'd']]])(
  'a file that has changed since is never sent whole: %j',
  async texts => {
    await expect(sentOf(texts, 'abc')).rejects.toThrow('tried again');
  },
);
