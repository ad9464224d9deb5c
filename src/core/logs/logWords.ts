/** What a log says to a person of its own accord, in the person's language. */
export interface LogWords {
  /** A service has ended a tail without saying why. */
  readonly ended: string;
  /** More lines would push each other out. */
  full(limit: number): string;
}
