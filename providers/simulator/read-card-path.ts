import type { Dialect } from './dialect.js';

/** The id of the model whose card a path asks for; null for any other path, and for an id that no model can have. */
export function readCardPath({ cardFolder, cardEnd }: Dialect, path: string): string | null {
  const end = cardEnd ?? '';
  if (!path.startsWith(cardFolder) || !path.endsWith(end)) return null;
  const id = path.slice(cardFolder.length, path.length - end.length);
  const wellFormed = cardEnd === undefined ? escapedId : plainId;
  return wellFormed.test(id) ? decodeURIComponent(id) : null;
}

/** As in the catalogue; the SDKs escape the slash. */
const escapedId = /^([\w.:-]|%2f|%3a)+$/i;
const plainId = /^[\w.-]+\/[\w.:-]+$/;
