import type { Snapshot } from './configSource';
import type { JsonProblem } from './jsonProblems';

/**
 * Error thrown when the content on the service isn't the base of the edits. Nothing was written.
 */
export class SaveConflictError extends Error {
  override readonly name = 'SaveConflictError';

  /** `base` is undefined if the base of the edits is unknown. */
  constructor(
    readonly base: Snapshot | undefined,
    readonly remote: Snapshot,
  ) {
    super('The document was changed remotely after it was loaded.');
  }
}

/** Error thrown when the text is invalid. Nothing was sent. */
export class InvalidDocumentError extends Error {
  override readonly name = 'InvalidDocumentError';

  constructor(readonly problems: readonly JsonProblem[]) {
    super("The document can't be saved as it is.");
  }
}

/** Error thrown when the service accepted the text but returned different content. */
export class ContentMismatchError extends Error {
  override readonly name = 'ContentMismatchError';

  constructor(readonly stored: Snapshot) {
    super('The service stored different content than was saved.');
  }
}
