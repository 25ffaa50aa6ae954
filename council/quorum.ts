import { quorumOpinions } from './method.js';

/** Whether enough models gave a valid opinion for their pool to be a council's. */
export function hasQuorum(members: readonly unknown[]): boolean {
  return members.length >= quorumOpinions;
}
