import { englishLocalizer, type Localizer } from '../../base/localizer';
import { ConnectError } from '@connectrpc/connect';
import { FleetError } from '../api/errors';
import type { FleetQuery, TextSpan } from '../model/query';
import {
  findPipelineSpan,
  type ParsedPipeline,
  parsePipeline,
  stageDocuments,
} from './parsedPipeline';
import { QueryError } from './queryError';
import { type QueryPlace, QueryPlaceSchema } from '../../gen/fleetwright/query/v1/query_pb';

/** Number in the API contract's enum `TabularDataSourceType`. */
const HOT_STORAGE = 2;

/**
 * Pattern for the position in an error message. The position is removed, because its line number is
 * relative to the executed text, which can be part of a file. The editor marks known positions.
 */
const POSITION_SUFFIX = / \(at ".*", line \d+, column \d+\)(?=\.?$)/s;

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
   * Converts an error. If the query is invalid, the result includes the error's position if it is
   * known.
   */
  readonly failure: (error: unknown) => unknown;
}

type ErrorRange = ReturnType<typeof getRangeFromError>;

/** Converts a query to a request. @throws QueryError if a pipeline can't be parsed. */
export function toQueryRequest(query: FleetQuery, l10n = englishLocalizer): QueryRequest {
  return query.language === 'sql' ? sqlQuery(query) : pipelineQuery(query, l10n);
}

function sqlQuery({ organizationId, text }: FleetQuery): QueryRequest {
  return {
    request: { case: 'sql', value: { organizationId, sqlQuery: text } },
    failure: createErrorMapper((stated, message) =>
      stated?.case === 'text' ? spanWithin(text, stated.value) : findSqlErrorRange(message, text),
    ),
  };
}

function pipelineQuery(
  { organizationId, text, recent }: FleetQuery,
  l10n: Localizer,
): QueryRequest {
  const pipeline = parsePipeline(text, l10n);
  return {
    request: {
      case: 'mql',
      value: {
        organizationId,
        mqlBinary: stageDocuments(pipeline, l10n),
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
    const message = range ? error.message.replace(POSITION_SUFFIX, '') : error.message;
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

/**
 * Returns an error's position in a query. Only our own services report it in a form that programs
 * can parse.
 */
function getRangeFromError({ cause }: FleetError): QueryPlace['place'] | undefined {
  if (!(cause instanceof ConnectError)) return undefined;
  return cause.findDetails(QueryPlaceSchema)[0]?.place;
}

const LINE_AND_COLUMN = /\bline:? (\d+),? (?:column|col|position):? (\d+)/gi;
const STAGE_NAME = /\$[a-z]\w*/gi;
/**
 * Text to mark for an error in a query: a name or path if there is one, otherwise one character.
 */
const WORD = /^(?:[\p{L}_$][\p{L}\p{N}_$.]*|'[^']*'|"[^"]*"|[^])/u;

/**
 * Finds the position of an SQL error in a message from a service, which contains a one-based line
 * and column. Returns undefined unless the message contains exactly one position and this position
 * is in the query.
 */
export function findSqlErrorRange(message: string, sql: string): TextSpan | undefined {
  const [match, ...others] = message.matchAll(LINE_AND_COLUMN);
  if (!match || others.length > 0) return undefined;
  const lines = sql.split('\n');
  const [line, column] = [Number(match[1]), Number(match[2])];
  const at = lines[line - 1];
  const characters = Array.from(at ?? '');
  if (at === undefined || column < 1 || column > characters.length) return undefined;
  const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  const start = before + characters.slice(0, column - 1).join('').length;
  const word = WORD.exec(sql.slice(start))?.[0] ?? '';
  return { start, end: start + word.length };
}

/**
 * Finds the position of a pipeline error in a message from a service: the stage that the message
 * names. Returns undefined unless the message names exactly one stage in the pipeline.
 */
export function findPipelineErrorRange(
  message: string,
  pipeline: ParsedPipeline,
): TextSpan | undefined {
  const named = new Set(message.match(STAGE_NAME));
  const spans = pipeline.stages.flatMap((stage, index) => {
    const name: unknown = stage.children?.[0]?.children?.[0]?.value;
    return typeof name === 'string' && named.has(name)
      ? [findPipelineSpan(pipeline, index, [name])]
      : [];
  });
  return spans.length === 1 ? spans[0] : undefined;
}
