/** Localized messages that a log view generates. */
export interface LogMessages {
  /** Message for a tail that the service ended without a reason. */
  readonly ended: string;
  /** Returns the message for a full buffer, in which newly loaded lines would be dropped again. */
  full(limit: number): string;
}
