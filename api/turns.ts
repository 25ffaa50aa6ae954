/** Lets one caller at a time through for each key, in the order in which they came. */
export interface Turns {
  /** @param act is told whether it had to wait for others. */
  take<Answer>(key: string, act: (hasWaited: boolean) => Promise<Answer>): Promise<Answer>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(key, act) {
      const before = last.get(key);
      const begin = () => act(before !== undefined);
      const mine = before === undefined ? begin() : before.then(begin, begin);
      last.set(key, mine);
      try {
        return await mine;
      } finally {
        if (last.get(key) === mine) last.delete(key);
      }
    },
  };
}
