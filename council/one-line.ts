import { plainText } from './plain-text.js';

/** Untrusted text as one line: a name that could not be told from the prompt's own lines otherwise. */
export function oneLine(text: string, maxChars: number): string {
  return plainText(text.replace(/\s+/g, ' '), maxChars);
}
