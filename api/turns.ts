/** Lets one caller at a time through for each key, in the order in which they came. */
export interface Turns {
  take<Answer>(key: string, act: () => Promise<Answer>): Promise<Answer>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(key, act) {
      const mine = (last.get(key) ?? Promise.resolve()).then(act, act);
      last.set(key, mine);
      try {
        return await mine;
      } finally {
        if (last.get(key) === mine) last.delete(key);
      }
    },
  };
}
