import { readFileSync } from 'node:fs';

/** A code block of a document that is marked as `tested`, or with the word of another test that runs it. */
export interface TestedBlock {
  /** Its heading, and its number below that heading: `What is stuck? 2`. */
  readonly name: string;
  readonly language: 'sh' | 'sql' | 'ini';
  readonly text: string;
}

export function testedBlocks(path: string, mark = 'tested'): TestedBlock[] {
  const found: TestedBlock[] = [];
  let heading = '';
  let number = 0;
  const marked = new RegExp(`^#+ ([^\\n]+)$|^ *\`\`\`(sh|sql|ini) ${mark}\\n(.*?)^ *\`\`\`$`, 'gms');
  const parts = readFileSync(path, 'utf8').matchAll(marked);
  for (const [, title, language, text = ''] of parts) {
    if (title !== undefined) {
      heading = title;
      number = 0;
    } else if (language === 'sh' || language === 'sql' || language === 'ini') {
      number++;
      found.push({ name: `${heading} ${number}`, language, text });
    }
  }
  return found;
}
