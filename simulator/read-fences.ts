/** A fenced text of a prompt (`council/prompts/prompt.ts`). */
interface FencedText {
  /** Without the mark. */
  readonly name: string;
  readonly text: string;
}

/** The fenced texts of a prompt in their order. Both ends of a fence carry the same mark, or none. */
export function fencedTexts(user: string): FencedText[] {
  return [...user.matchAll(fence)].map(([, name = '', , text = '']) => ({ name, text }));
}

/** The first fenced text of this name; empty if the prompt has none. */
export function fencedText(user: string, wanted: string): string {
  return fencedTexts(user).find(({ name }) => name === wanted)?.text ?? '';
}

const fence = /<<<BEGIN ([^>]*?)( [0-9a-f]{8})?>>>\n([\s\S]*?)\n<<<END \1\2>>>/g;
