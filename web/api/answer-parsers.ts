import type { Parse } from '../../client/http-client.js';
import type { ProblemView } from '../../contract/service.js';
import type { Answer, Operation } from './answer-shapes.js';

/** How the JSON of responses gets its type: by schemas on the server, by trust in browsers. */
export interface AnswerParsers {
  readonly answerTo: <Name extends Operation>(operation: Name) => Parse<Answer<Name>>;
  readonly problem: Parse<ProblemView>;
}

/**
 * For browsers. An answer is not compared with its schema: it comes from the service that has served this
 * page, every answer of which is compared with the same schemas in its tests, and on the server while the page
 * is rendered. What is checked is what something between browser and service can change: whether it is JSON at
 * all, and whether an error is one of the service.
 */
export const trustingParsers: AnswerParsers = {
  answerTo: <Name extends Operation>() => {
    const isAnswer = (json: unknown): json is Answer<Name> => json !== undefined;
    return json => (isAnswer(json) ? { success: true, data: json } : notJson);
  },
  problem: json => (isProblem(json) ? { success: true, data: json } : notJson),
};

const notJson = { success: false, reason: '' } as const;

function isProblem(json: unknown): json is ProblemView {
  return (
    typeof json === 'object' &&
    json !== null &&
    'code' in json &&
    typeof json.code === 'string' &&
    'detail' in json &&
    typeof json.detail === 'string' &&
    'status' in json &&
    typeof json.status === 'number'
  );
}
