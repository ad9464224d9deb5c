/** Localized messages that a log view shows by itself. */
export interface LogMessages {
  /** A service ended a tail without a reason. */
  readonly ended: string;
  /** The buffer is full: more lines would push each other out. */
  full(limit: number): string;
}
