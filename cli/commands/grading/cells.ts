import { z } from 'zod';

interface CellKinds {
  /** Columns of JSON, such as lists, maps, `true` and `false`. */
  readonly json: readonly string[];
  readonly numbers: readonly string[];
}

/** A shape for the cells of a table: an empty cell is null. */
export function fromCells<Shape extends z.ZodType>(shape: Shape, { json, numbers }: CellKinds) {
  const isParsed = new Set([...json, ...numbers]);
  return z.preprocess((cells, context) => {
    const texts = cellsShape.parse(cells);
    return Object.fromEntries(
      Object.entries(texts).map(([name, text]) => {
        if (text === '') return [name, null];
        if (!isParsed.has(name)) return [name, text];
        try {
          return [name, JSON.parse(text)];
        } catch {
          context.addIssue({ code: 'custom', path: [name], message: 'must be JSON' });
          return [name, text];
        }
      }),
    );
  }, shape);
}

const cellsShape = z.record(z.string(), z.string());
