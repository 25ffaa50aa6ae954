/** How long the texts are that a prompt shows or an answer may hold, in characters unless named otherwise. */

export const titleMaxChars = 300;
export const descriptionMaxChars = 8_000;
export const nameMaxChars = 300;
export const rationaleShownChars = 4_000;
export const listItemShownChars = 600;
export const critiqueShownChars = 1_000;
export const rejectedAnswerShownChars = 4_000;

export const answerMaxChars = 100_000;
export const rationaleMaxChars = 8_000;
export const critiqueMaxChars = 4_000;
export const summaryMaxChars = 8_000;
export const listItemMaxChars = 2_000;
export const listItemsMax = 30;
export const problemsMax = 10;
