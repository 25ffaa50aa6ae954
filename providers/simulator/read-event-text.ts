/**
 * The part of a prompt that tells which event it is about, the same at every stage, so that a member's review
 * starts from the opinion it gave: the first fenced text (`council/fence.ts`). Without a fence, the whole prompt.
 */
export function readEventText(user: string): string {
  const fenced = /<<<BEGIN ([^>]*)>>>\n([\s\S]*?)\n<<<END \1>>>/.exec(user);
  return (fenced?.[2] ?? user).replace(/\s+/g, ' ').trim();
}
