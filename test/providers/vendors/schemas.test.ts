import { describe, expect, test } from '@jest/globals';
import { geminiSchema, pruneJsonSchema } from '../../../providers/vendors/json-schema.js';

describe('a schema pruned for a vendor', () => {
  test('keeps fields whose names are keywords', () => {
    const schema = {
      type: 'object',
      properties: { minLength: { type: 'string', minLength: 3 }, items: { type: 'number' } },
    };
    expect(pruneJsonSchema(schema, new Set(['type', 'properties']))).toEqual({
      type: 'object',
      properties: { minLength: { type: 'string' }, items: { type: 'number' } },
    });
  });
});

describe('a schema for Gemini', () => {
  test('has only keywords that Gemini accepts, marks enums and keeps the field order', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
      required: ['why', 'list'],
      properties: {
        why: { type: 'string', description: 'first' },
        list: {
          type: 'array',
          uniqueItems: true,
          maxItems: 2,
          items: {
            type: 'object',
            additionalProperties: false,
            properties: {
              a: { type: 'string', enum: ['x'] },
              b: { type: 'number', minimum: 0, maximum: 100 },
            },
          },
        },
      },
    };
    expect(geminiSchema(schema)).toEqual({
      type: 'object',
      required: ['why', 'list'],
      propertyOrdering: ['why', 'list'],
      properties: {
        why: { type: 'string', description: 'first' },
        list: {
          type: 'array',
          maxItems: 2,
          items: {
            type: 'object',
            propertyOrdering: ['a', 'b'],
            properties: { a: { type: 'string', enum: ['x'], format: 'enum' }, b: { type: 'number' } },
          },
        },
      },
    });
  });
});
