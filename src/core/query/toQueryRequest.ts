import { getRangeFromError } from '../api/getRangeFromError';
import { FleetError } from '../api/errors';
import type { FleetQuery, TextSpan } from '../model/query';
import { findPipelineSpan, parsePipeline } from './parsedPipeline';
import { stageDocuments } from './askedStages';
import { QueryError } from './queryError';
import { findPipelineErrorRange, findSqlErrorRange } from './saidPlace';

/** Number in the API contract's enum `TabularDataSourceType`. */
const HOT_STORAGE = 2;

/**
 * Position in an error message, which is removed. The line number is relative to the executed text,
 * which can be part of a file. The editor marks known positions.
 */
const PLACE_IN_WORDS = / \(at ".*", line \d+, column \d+\)(?=\.?$)/s;

interface SqlRequest {
  readonly organizationId: string;
  readonly sqlQuery: string;
}

interface PipelineRequest {
  readonly organizationId: string;
  readonly mqlBinary: Uint8Array[];
  readonly dataSource?: { readonly type: typeof HOT_STORAGE };
}

/** Query in the form required for a request. */
export interface QueryRequest {
  readonly request:
    | { readonly case: 'sql'; readonly value: SqlRequest }
    | { readonly case: 'mql'; readonly value: PipelineRequest };
  /**
   * Converts an error. If the query is invalid, the result includes the position of the error if it
   * is known.
   */
  readonly failure: (error: unknown) => unknown;
}

type ErrorRange = ReturnType<typeof getRangeFromError>;

/** Converts a query to a request. @throws QueryError if a pipeline can't be parsed. */
export function toQueryRequest(query: FleetQuery): QueryRequest {
  return query.language === 'sql' ? sqlQuery(query) : pipelineQuery(query);
}

function sqlQuery({ organizationId, text }: FleetQuery): QueryRequest {
  return {
    request: { case: 'sql', value: { organizationId, sqlQuery: text } },
    failure: createErrorMapper((stated, message) =>
      stated?.case === 'text' ? spanWithin(text, stated.value) : findSqlErrorRange(message, text),
    ),
  };
}

function pipelineQuery({ organizationId, text, recent }: FleetQuery): QueryRequest {
  const pipeline = parsePipeline(text);
  return {
    request: {
      case: 'mql',
      value: {
        organizationId,
        mqlBinary: stageDocuments(pipeline),
        ...(recent && { dataSource: { type: HOT_STORAGE } }),
      },
    },
    failure: createErrorMapper((stated, message) =>
      stated?.case === 'stage'
        ? findPipelineSpan(pipeline, stated.value.stage, stated.value.path)
        : findPipelineErrorRange(message, pipeline),
    ),
  };
}

function createErrorMapper(
  findRange: (stated: ErrorRange, message: string) => TextSpan | undefined,
): (error: unknown) => unknown {
  return (error) => {
    if (!(error instanceof FleetError) || error.kind !== 'invalid') return error;
    const range = findRange(getRangeFromError(error), error.message);
    const message = range ? error.message.replace(PLACE_IN_WORDS, '') : error.message;
    return new QueryError(message, range, { cause: error });
  };
}

/** Clamps a range to the text. For an error at the end of the text, marks the last character. */
function spanWithin(text: string, { start, end }: TextSpan): TextSpan | undefined {
  if (start > end || end > text.length) return undefined;
  if (start < end) return { start, end };
  const last = text.slice(0, start).trimEnd().length;
  return last > 0 ? { start: last - 1, end: last } : undefined;
}
