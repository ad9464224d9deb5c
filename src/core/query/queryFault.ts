import { FleetError } from '../api/errors';
import type { TextSpan } from '../model/query';

/** A query that cannot be answered as it is. Its `kind` is `invalid`. */
export class QueryFault extends FleetError {
  /** Where in the text of the query; absent when it is not known. */
  readonly place: TextSpan | undefined;

  constructor(message: string, place?: TextSpan, options: { readonly cause?: unknown } = {}) {
    super('invalid', message, options);
    this.place = place;
  }
}
