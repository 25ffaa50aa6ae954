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

/** A table whose cells are aligned for readers of the plain text. @param rows of escaped cells; the first column is text */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const width = (column: number) => Math.max(...[head, ...rows].map(row => row[column]?.length ?? 0));
  const widths = head.map((_, column) => width(column));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join(' | ')} |`;
  const rule = widths.map((size, column) => (column === 0 ? '-'.repeat(size) : `${'-'.repeat(size - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)];
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
