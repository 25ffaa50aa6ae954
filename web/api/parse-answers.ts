import type { z } from 'zod';
import { parseProblem, parseWith } from '../../client/parse-with.js';
import type { AnswerParsers } from './answer-parsers.js';
import { type Answer, answerShapes, type Operation } from './answer-shapes.js';

const shapes: { readonly [Name in Operation]: z.ZodType<Answer<Name>> } = answerShapes;

/** For the server, where the size of a library does not matter: compares every answer with its schema. */
export const schemaParsers: AnswerParsers = {
  answerTo: operation => parseWith(shapes[operation]),
  problem: parseProblem,
};
