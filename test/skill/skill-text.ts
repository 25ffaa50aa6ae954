import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

const folder = 'skill/council-report';

/** The skill as an assistant reads it. */
export const skillText = readFileSync(`${folder}/SKILL.md`, 'utf8');

export const references: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(`${folder}/references`).map(name => [
    name,
    readFileSync(`${folder}/references/${name}`, 'utf8'),
  ]),
);

const [, frontText = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(skillText) ?? [];

export const frontMatter: any = parse(frontText);
export const skillBody = body;

export interface WrittenCall {
  readonly tool: string;
  /** JSON, but for places like `<event_id>`. */
  readonly args: string;
}

/** Every call of a tool that stands in a text, `tool {"argument": …}`, in the order in which it stands there. */
export function callsIn(text: string): WrittenCall[] {
  return [...text.matchAll(/`([a-z_]+) (\{[^`]*\})`/g)].map(([, tool = '', args = '']) => ({ tool, args }));
}

/** @param values what stands for each place. @throws Error for a place that nothing stands for. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/<(\w+)>/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`nothing stands for <${name}>`);
    return String(value);
  });
}

/** Every curl command of a text, line by line. */
export function curlLinesIn(text: string): string[] {
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.split('\n').filter(line => line.startsWith('curl ')),
  );
}

/** What stands in backticks in the given column of the tables of a text, heading left out. */
export function namesInColumn(text: string, column: number): string[] {
  return text
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .flatMap(line => [...(line.split('|')[column + 1] ?? '').matchAll(/`([\w.]+)`/g)])
    .map(([, name = '']) => name);
}
