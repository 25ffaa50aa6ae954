import { posix } from 'node:path';
import { callerDocuments } from './caller-documents.js';

/** The address that the documents of the repository name: that of `npm start`. */
const writtenUrl = 'http://127.0.0.1:3000';

/**
 * The text of a document as it is served: its examples call this service, and its links lead to what is served. What is in
 * the repository only loses its link and keeps its words; pictures are left out.
 * @param file the path of the document in the repository
 * @param publicUrl the origin of this service
 */
export function servedText(file: string, text: string, publicUrl: string): string {
  const addressed = text.replaceAll(writtenUrl, publicUrl);
  if (!file.endsWith('.md')) return addressed;
  return addressed
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : withServedLinks(file, part)))
    .join('');
}

/** Odd parts of a document are its code, in which nothing is a link. */
function withServedLinks(file: string, prose: string): string {
  return prose
    .replaceAll(/^!\[[^\]]*\]\([^)]*\)\n+/gm, '')
    .replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (link, words: string, target: string) => {
      if (/^(?:[a-z]+:|#|\/)/.test(target)) return link;
      const served = servedTarget(file, target);
      return served === null ? words : `[${words}](${served})`;
    });
}

/** Null: it is not served. */
function servedTarget(file: string, target: string): string | null {
  const [path = '', anchor] = target.split('#');
  const inRepository = posix.join(posix.dirname(file), path);
  const found = callerDocuments.find(each => each.file === inRepository);
  if (found === undefined) return null;
  return `/docs/${found.servedAs}${anchor === undefined ? '' : `#${anchor}`}`;
}
