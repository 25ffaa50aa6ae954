/** What is sent to a model. */
export interface Prompt {
  readonly system: string;
  readonly user: string;
}
