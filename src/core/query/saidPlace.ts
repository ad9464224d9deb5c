import type { TextSpan } from '../model/query';
import type { ParsedPipeline } from './parsedPipeline';
import { findPipelineSpan } from './parsedPipeline';

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
  const [said, ...others] = message.matchAll(LINE_AND_COLUMN);
  if (!said || others.length > 0) return undefined;
  const lines = sql.split('\n');
  const [line, column] = [Number(said[1]), Number(said[2])];
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
 * names. Returns undefined unless the message names exactly one stage of the pipeline.
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
