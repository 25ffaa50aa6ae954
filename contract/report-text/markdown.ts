import { plainText } from '../../council/text.js';

/**
 * A text of the market, of a model or of the web on one line of Markdown, shown as it is: nothing in it becomes a
 * heading, a list, a table, a link, an image, HTML or code.
 */
export function escapedLine(text: string, maxChars = Number.POSITIVE_INFINITY): string {
  return plainText(text.replace(/\s+/g, ' '), maxChars)
    .replace(/[\\`*[\]<|~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/\b(https?|ftp|mailto|xmpp):/gi, '$1\\:')
    .replace(/\bwww\./gi, match => match.replace('.', '\\.'))
    .replace(/(?<=[\w.+-])@(?=\w)/g, '\\@')
    .replace(/^(?=[-+=#>])/, '\\')
    .replace(/^(\d+)([.)])/, '$1\\$2');
}

/** A text of several lines as a quotation: no line of it can be taken for a line of the report. */
export function quoted(text: string): string[] {
  return text.split('\n').map(line => `> ${escapedLine(line)}`.trimEnd());
}

/** An address, which the reader may open. It is shown whole. */
export function linkTo(url: string): string {
  return `<${url.replace(/[\s<>]/g, encodeURIComponent)}>`;
}

/**
 * A table whose cells are aligned for readers of the plain text.
 *
 * @param head names of the columns. The first column is text, the others are numbers, unless `texts` says otherwise.
 * @param rows of escaped cells
 * @param texts places of the columns of text. The last column is not padded if it is one: it may be long.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  texts: readonly number[] = [0],
): string[] {
  const isText = (column: number) => texts.includes(column);
  const isOpen = (column: number) => column === head.length - 1 && isText(column);
  const widths = head.map((name, column) =>
    isOpen(column) ? name.length : Math.max(...[head, ...rows].map(row => row[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number) =>
    isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  const line = (cells: readonly string[]) => `| ${cells.map(pad).join(' | ')} |`;
  const rule = widths.map((size, column) => (isText(column) ? '-'.repeat(size) : `${'-'.repeat(size - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)];
}

/** A part of the report below its heading, in blocks. Empty if all blocks are: a part without contents does not appear. */
export function part(title: string, ...blocks: readonly (readonly string[])[]): string[] {
  const filled = blocks.filter(lines => lines.length > 0);
  if (filled.length === 0) return [];
  return ['', `## ${title}`, ...filled.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))];
}

/** One item of a list. */
export function item(text: string): string {
  return `- ${text}`;
}

/** A text that ends a sentence. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
