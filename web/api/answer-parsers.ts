import type { AnswerParsers } from '../../client/http-client.js';
import type { AnswerAt, Endpoint } from '../../contract/operations.js';
import type { ProblemView } from '../../contract/service.js';

/**
 * For browsers. An answer is not compared with its schema: it comes from the service that has served this
 * page, every answer of which is compared with the same schemas in its tests, and on the server while the page
 * is rendered. What is checked is what something between browser and service can change: whether it is JSON at
 * all, and whether an error is one of the service.
 */
export const trustingParsers: AnswerParsers = {
  answerTo: <Name extends Endpoint>() => {
    const isAnswer = (json: unknown): json is AnswerAt<Name> => json !== undefined;
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
