import type { Page } from 'playwright-core';

/** A heading on paper, with its distance from the lower edge of its page in points. */
export interface PrintedHeading {
  readonly title: string;
  readonly aboveEdge: number;
}

export interface Printed {
  readonly pages: number;
  readonly headings: readonly PrintedHeading[];
}

/** Prints a page on A4, and reads the number of pages and the outline from the PDF. */
export async function printed(page: Page): Promise<Printed> {
  const pdf = (await page.pdf({ format: 'A4', outline: true, tagged: true })).toString('latin1');
  return {
    pages: [...pdf.matchAll(/\/Type\s*\/Page\b/g)].length,
    headings: [
      ...pdf.matchAll(/\/Title (\([^)]*\)|<[0-9A-F]+>)\s*\/Dest \[\d+ 0 R \/XYZ [\d.]+ ([\d.]+) 0\]/g),
    ].map(([, title = '', aboveEdge]) => ({ title: textOf(title), aboveEdge: Number(aboveEdge) })),
  };
}

/** A string of a PDF: in brackets, or in hexadecimal digits of UTF-16 after its byte order mark. */
function textOf(title: string): string {
  if (title.startsWith('(')) return title.slice(1, -1);
  const units = title.slice(1, -1).match(/.{4}/g) ?? [];
  return String.fromCharCode(...units.slice(1).map(unit => Number.parseInt(unit, 16)));
}
