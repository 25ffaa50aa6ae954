/**
 * The four members of the council, by the short names callers see. The order is the order in which they
 * are asked to chair: the first healthy one writes the synthesis.
 */
export const councilModels = ['claude', 'gpt', 'gemini', 'grok'] as const;

export type CouncilModel = (typeof councilModels)[number];
