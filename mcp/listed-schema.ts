import { z } from 'zod';
import { toolProblemShape } from './tool-problem.js';

/**
 * Schemas for the SDK to list as they are, and to let everything through: arguments are parsed by the tools themselves, for
 * the SDK would answer wrong ones with a text, and no client could tell from that what to mend.
 */
export function listedInput(input: z.ZodObject) {
  return listed(jsonSchemaOf(input, 'input'));
}

/**
 * A tool answers with what it found or with a problem, and clients hold both against this one schema: without the second
 * the official client drops an error instead of showing it to its model.
 */
export function listedOutput(output: z.ZodObject) {
  return listed({ anyOf: [jsonSchemaOf(output, 'output'), jsonSchemaOf(toolProblemShape, 'output')] });
}

function listed(schema: Record<string, unknown>) {
  return z.looseObject({}).meta(schema);
}

function jsonSchemaOf(shape: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, {
    target: 'draft-7',
    io,
    override: ({ jsonSchema }) => shorten(jsonSchema),
  });
  return schema;
}

/** Clients hold these lists in memory, some before their model: what says nothing to a reader is left out. */
function shorten(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  delete schema.readOnly;
}
