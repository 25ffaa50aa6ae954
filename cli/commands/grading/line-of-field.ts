/**
 * How many lines into a JSON text the value of a field begins.
 *
 * @param path the names and indexes that lead to it; one that is absent is as far as the search goes
 */
export function lineOfField(text: string, path: readonly PropertyKey[]): number {
  return text.slice(0, offsetOf(text, path)).split('\n').length - 1;
}

/** Where each open array or object stands: the index of its current item, or the name of its current field. */
type Place = { readonly kind: 'array'; index: number } | { readonly kind: 'object'; name: string | null };

function offsetOf(text: string, path: readonly PropertyKey[]): number {
  const open: Place[] = [];
  let [found, depth] = [0, -1];
  for (const match of text.matchAll(tokens)) {
    const [token] = match;
    const place = open.at(-1);
    const isName = place?.kind === 'object' && place.name === null && token.startsWith('"');
    if (!isName && token !== ',' && !closing.has(token)) {
      const matched = matchedDepth(open, path);
      if (matched > depth) [found, depth] = [match.index, matched];
      if (depth === path.length) return found;
    }
    step(open, token);
  }
  return found;
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],]|[^\s{}[\],:"]+/g;
const closing: ReadonlySet<string> = new Set(['}', ']']);

/** The number of steps of the path that the open places have taken; −1 if they have left it. */
function matchedDepth(open: readonly Place[], path: readonly PropertyKey[]): number {
  if (open.length > path.length) return -1;
  const isOnPath = open.every((place, depth) => String(path[depth]) === nameOf(place));
  return isOnPath ? open.length : -1;
}

function nameOf(place: Place): string | null {
  return place.kind === 'array' ? String(place.index) : place.name;
}

function step(open: Place[], token: string): void {
  const place = open.at(-1);
  if (token === '{') open.push({ kind: 'object', name: null });
  else if (token === '[') open.push({ kind: 'array', index: 0 });
  else if (closing.has(token)) open.pop();
  else if (token === ',') {
    if (place?.kind === 'array') place.index += 1;
    else if (place?.kind === 'object') place.name = null;
  } else if (place?.kind === 'object' && place.name === null) place.name = nameIn(token);
}

function nameIn(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}
