import type { Snapshot } from './configSource';
import type { JsonProblem } from './jsonProblems';

/** The service holds content other than the base of the edits. Nothing was written. */
export class SaveConflictError extends Error {
  override readonly name = 'SaveConflictError';

  /** `base` is undefined when the state that the edits started from is unknown. */
  constructor(
    readonly base: Snapshot | undefined,
    readonly remote: Snapshot,
  ) {
    super('The document was changed remotely after it was loaded.');
  }
}

/** The text cannot be sent. Nothing was sent. */
export class InvalidDocumentError extends Error {
  override readonly name = 'InvalidDocumentError';

  constructor(readonly problems: readonly JsonProblem[]) {
    super("The document can't be saved as it is.");
  }
}

/** The service accepted the text and then answered with other content. */
export class ContentMismatchError extends Error {
  override readonly name = 'ContentMismatchError';

  constructor(readonly stored: Snapshot) {
    super('The service stored different content than was saved.');
  }
}
