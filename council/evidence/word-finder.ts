/** A folded text (`fold-text.ts`) with its words. */
export interface WordText {
  readonly text: string;
  /** Runs of letters and digits, in order. Scripts without spaces between words have none. */
  readonly words: readonly string[];
  /** Whether scripts without spaces between words occur. */
  readonly hasUnspaced: boolean;
}

export function wordTextOf(folded: string): WordText {
  const hasUnspaced = unspaced.test(folded);
  const spaced = hasUnspaced ? folded.replace(unspacedRuns, ' ') : folded;
  return { text: folded, words: spaced.match(word) ?? [], hasUnspaced };
}

const word = /[\p{L}\p{N}\p{M}]+/gu;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const unspacedRuns = new RegExp(`${unspaced.source}+`, 'gu');

/**
 * Finds words and phrases of a list in a text, in time linear in the length of the text. An entry is in folded form;
 * `*` at its end stands for any further letters, at its beginning for any letters before. Entries in scripts without
 * spaces between words are found anywhere.
 */
export class WordFinder {
  readonly #phrases = new Map<string, string[][]>();
  /** By their first letters, so that most words need one look. */
  readonly #stems = new Map<string, Stem[]>();
  readonly #infixes: string[] = [];
  readonly #unspaced: RegExp | null;

  constructor(entries: readonly string[]) {
    const anywhere = entries.filter(entry => unspaced.test(entry));
    this.#unspaced = anywhere.length === 0 ? null : new RegExp(anywhere.join('|'), 'gu');
    for (const entry of entries.filter(entry => !unspaced.test(entry))) this.#add(entry);
  }

  isIn(text: WordText): boolean {
    if (text.hasUnspaced && this.#unspaced !== null && text.text.search(this.#unspaced) !== -1) return true;
    return text.words.some((_, index) => this.lengthAt(text.words, index) > 0);
  }

  /** The text without the entries of the list. Only its words and its unspaced scripts change. */
  without(text: WordText): WordText {
    const kept: string[] = [];
    for (let index = 0; index < text.words.length; ) {
      const length = this.lengthAt(text.words, index);
      // Gaps, so that the words around what is left out form no phrase, and the others keep their index.
      if (length > 0) kept.push(...Array.from({ length }, () => ''));
      else kept.push(text.words[index] ?? '');
      index += Math.max(1, length);
    }
    const isCut = text.hasUnspaced && this.#unspaced !== null;
    return { ...text, words: kept, text: isCut ? text.text.replace(this.#unspaced ?? '', ' ') : text.text };
  }

  #add(entry: string): void {
    const phrase = entry.match(/[\p{L}\p{N}\p{M}*]+/gu) ?? [];
    const [first = ''] = phrase;
    if (first.startsWith('*')) {
      this.#infixes.push(first.replaceAll('*', ''));
      return;
    }
    const rest = phrase.slice(1);
    if (!first.endsWith('*')) {
      this.#phrases.set(first, [...(this.#phrases.get(first) ?? []), rest]);
      return;
    }
    const stem = first.slice(0, -1);
    const key = stem.slice(0, stemKeyChars);
    this.#stems.set(key, [...(this.#stems.get(key) ?? []), { stem, rests: [rest] }]);
  }

  /** How many words the longest entry that begins here has; 0 if none does. */
  lengthAt(words: readonly string[], index: number): number {
    const first = words[index] ?? '';
    if (first === '') return 0;
    const phrases = this.#phrases.get(first);
    let longest = phrases === undefined ? 0 : longestAt(words, index, phrases);
    for (const { stem, rests } of this.#stems.get(first.slice(0, stemKeyChars)) ?? noStems) {
      if (first.startsWith(stem)) longest = Math.max(longest, longestAt(words, index, rests));
    }
    if (longest === 0 && this.#infixes.some(infix => first.includes(infix))) return 1;
    return longest;
  }
}

/** An entry that ends with `*`, and the words that may follow it. */
interface Stem {
  readonly stem: string;
  readonly rests: string[][];
}

/** The letters of the shortest stem of all lists. */
const stemKeyChars = 2;
const noStems: readonly Stem[] = [];

/** The entries of a list as the alternatives of a regular expression; `*` stands for any further letters. */
export function alternatives(entries: readonly string[]): string {
  return entries
    .toSorted((a, b) => b.length - a.length)
    .map(entry => entry.replaceAll('*', String.raw`\p{L}*`).replaceAll(' ', String.raw`\s`))
    .join('|');
}

/** A noun with a verb behind it, and what may stand between them. */
export interface NounAndVerb {
  readonly nouns: readonly string[];
  readonly adverbs: readonly string[];
  readonly verbs: readonly string[];
}

/** Finds a noun with one of its verbs: `the market now sees`. */
export class NounAndVerbFinder {
  readonly #groups: readonly Readonly<Record<keyof NounAndVerb, WordFinder>>[];

  constructor(groups: readonly NounAndVerb[]) {
    this.#groups = groups.map(({ nouns, adverbs, verbs }) => ({
      nouns: new WordFinder(nouns),
      adverbs: new WordFinder(adverbs),
      verbs: new WordFinder(verbs),
    }));
  }

  isIn({ words }: WordText): boolean {
    return this.#groups.some(({ nouns, adverbs, verbs }) =>
      words.some((_, index) => {
        const length = nouns.lengthAt(words, index);
        if (length === 0) return false;
        const next = index + length;
        const afterAdverb = next + adverbs.lengthAt(words, next);
        return verbs.lengthAt(words, next) > 0 || verbs.lengthAt(words, afterAdverb) > 0;
      }),
    );
  }
}

/** How many words the longest entry has whose further words follow; 0 if there is none. */
function longestAt(words: readonly string[], index: number, rests: readonly string[][]): number {
  let longest = 0;
  for (const rest of rests) {
    if (rest.length >= longest && continues(words, index + 1, rest)) longest = rest.length + 1;
  }
  return longest;
}

function continues(words: readonly string[], from: number, rest: readonly string[]): boolean {
  return rest.every((expected, offset) => {
    const found = words[from + offset] ?? '';
    return expected.endsWith('*') ? found.startsWith(expected.slice(0, -1)) : found === expected;
  });
}
