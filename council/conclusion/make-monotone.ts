import type { Ladder } from '../market/ladders.js';
import { at } from '../numbers.js';

/**
 * Makes probabilities fall, or stay equal, along each ladder: isotonic regression by pool-adjacent-violators (Ayer,
 * Brunk, Ewing, Reid and Silverman 1955; Barlow et al. 1972), the monotone sequence with the smallest sum of squared
 * changes. Neighbours that break the order get their mean; others keep every bit.
 *
 * @param probabilities on any scale, aligned with the outcomes; null where there is none, which orders nothing
 */
export function makeMonotone<P extends number | null>(
  probabilities: readonly P[],
  ladders: readonly Ladder[],
): (P | number)[] {
  const result: (P | number)[] = [...probabilities];
  for (const ladder of ladders) {
    const known = ladder.flatMap(index => {
      const probability = at(probabilities, index);
      return probability === null ? [] : [{ index, probability }];
    });
    for (const { members, mean } of blocksOf(known)) {
      if (members.length > 1) for (const { index } of members) result[index] = mean;
    }
  }
  return result;
}

interface Rung {
  readonly index: number;
  readonly probability: number;
}

interface Block {
  readonly members: readonly Rung[];
  readonly mean: number;
}

function blocksOf(rungs: readonly Rung[]): readonly Block[] {
  const blocks: Block[] = [];
  for (const rung of rungs) {
    let block: Block = { members: [rung], mean: rung.probability };
    for (let last = blocks.at(-1); last !== undefined && last.mean < block.mean; last = blocks.at(-1)) {
      blocks.pop();
      block = merged(last, block);
    }
    blocks.push(block);
  }
  return blocks;
}

function merged(one: Block, other: Block): Block {
  const members = [...one.members, ...other.members];
  const mean = members.reduce((total, { probability }) => total + probability, 0) / members.length;
  return { members, mean };
}
