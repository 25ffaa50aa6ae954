/** A command of ours as people type it, so that it can be copied from a message into a terminal. */
export function asTyped(words: string): string {
  return `npm run council -- ${words}`;
}
