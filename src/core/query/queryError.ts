import { FleetError } from '../api/errors';
import type { TextSpan } from '../model/query';

/** Error thrown for an invalid query. Its `kind` is `invalid`. */
export class QueryError extends FleetError {
  /** Range in the query's text; absent if unknown. */
  readonly range: TextSpan | undefined;

  constructor(message: string, range?: TextSpan, options: { readonly cause?: unknown } = {}) {
    super('invalid', message, options);
    this.range = range;
  }
}
