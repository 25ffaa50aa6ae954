import { readFileSync } from 'node:fs';

/** A code block of a document that is marked as tested. */
export interface TestedBlock {
  /** Its heading, and its number below that heading: `What is stuck? 2`. */
  readonly name: string;
  readonly language: 'sh' | 'sql';
  readonly text: string;
}

export function testedBlocks(path: string): TestedBlock[] {
  const found: TestedBlock[] = [];
  let heading = '';
  let number = 0;
  const parts = readFileSync(path, 'utf8').matchAll(/^#+ ([^\n]+)$|^```(sh|sql) tested\n(.*?)^```$/gms);
  for (const [, title, language, text = ''] of parts) {
    if (title !== undefined) {
      heading = title;
      number = 0;
    } else if (language === 'sh' || language === 'sql') {
      number++;
      found.push({ name: `${heading} ${number}`, language, text });
    }
  }
  return found;
}
