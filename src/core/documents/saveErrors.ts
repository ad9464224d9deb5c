import type { Snapshot } from './configSource';
import type { JsonProblem } from './jsonProblems';

/** The service holds another content than the one the edits started from. Nothing was written. */
export class SaveConflictError extends Error {
  override readonly name = 'SaveConflictError';

  /** `base` is undefined when it is not known any more what the edits started from. */
  constructor(
    readonly base: Snapshot | undefined,
    readonly theirs: Snapshot,
  ) {
    super('The document was changed elsewhere since it was read.');
  }
}

/** The text cannot be sent. Nothing was sent. */
export class InvalidDocumentError extends Error {
  override readonly name = 'InvalidDocumentError';

  constructor(readonly problems: readonly JsonProblem[]) {
    super('The document cannot be saved as it is.');
  }
}

/** The service took the text and then kept another one. */
export class NotKeptError extends Error {
  override readonly name = 'NotKeptError';

  constructor(readonly kept: Snapshot) {
    super('The service keeps another content than the one that was saved.');
  }
}
