import type { Dialect } from './dialect.js';

/** The id of the model whose card a path asks for; null for any other path, and for an id that no model can have. */
export function readCardPath({ cardFolder }: Dialect, path: string): string | null {
  const id = path.startsWith(cardFolder) ? path.slice(cardFolder.length) : '';
  return wellFormedId.test(id) ? decodeURIComponent(id) : null;
}

/** As in the catalogue; the SDKs escape the slash. */
const wellFormedId = /^([\w.:-]|%2f|%3a)+$/i;
