import type { CouncilModel } from '../../council/models.js';
import type { JsonSchema } from '../model-provider.js';
import { readEventText, readTask } from './read-task.js';
import { writeAnswer } from './write-answer.js';

/**
 * The text with which a member answers a question, without a server: the same as over any of the vendors' APIs.
 *
 * @throws BadRequest if the schema is not one of the council's three.
 */
export function simulateAnswer(
  member: CouncilModel,
  question: { readonly user: string; readonly schemaName: string; readonly schema: JsonSchema },
): string {
  return JSON.stringify(writeAnswer(readEventText(question.user), member, readTask(question)));
}
