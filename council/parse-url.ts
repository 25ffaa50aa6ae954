/**
 * A URL, or null if the text is none. In place of `URL.canParse`, which rejects letters beyond ASCII in Node 20 once
 * it is compiled.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
