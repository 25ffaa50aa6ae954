/** How a report stands once its event is over. Only `graded` has scores; `disputed` may still become one of the others. */
export const gradeStates = ['graded', 'void', 'fifty_fifty', 'disputed'] as const;

export type GradeState = (typeof gradeStates)[number];
