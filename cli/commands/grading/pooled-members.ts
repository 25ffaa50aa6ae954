import { pool } from '../../../council/conclusion/consensus.js';
import { hasQuorum } from '../../../council/deliberation/members.js';
import type { Numbers } from '../../../record/regrading/gradable-row.js';

/** The council of members by the pool of a report, without its rule for ladders. Null below the quorum. */
export function pooledMembers(members: readonly Numbers[], exclusive: boolean): readonly number[] | null {
  const complete = members.flatMap(member => {
    const given = member.filter(p => p !== null);
    const isUsable = given.length === member.length && (!exclusive || given.some(p => p > 0));
    return isUsable ? [given] : [];
  });
  return hasQuorum(complete) ? pool(complete, { exclusive }) : null;
}
