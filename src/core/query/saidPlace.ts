import type { TextSpan } from '../model/query';
import type { AskedPipeline } from './askedPipeline';
import { placeInPipeline } from './askedPipeline';

const LINE_AND_COLUMN = /\bline:? (\d+),? (?:column|col|position):? (\d+)/gi;
const STAGE_NAME = /\$[a-z]\w*/gi;
/** What an error of a query is about: a name or path, or else one character. */
const WORD = /^(?:[\p{L}_$][\p{L}\p{N}_$.]*|'[^']*'|"[^"]*"|[^])/u;

/**
 * Where an SQL query is wrong by what a service says in words: a line and a column, both counted from one.
 * Nothing unless it names one place, and that is in the query.
 */
export function placeSaidOfSql(message: string, sql: string): TextSpan | undefined {
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
 * Where a pipeline is wrong by what a service says in words: a stage that it names. Nothing unless exactly
 * one stage of the pipeline is named.
 */
export function placeSaidOfPipeline(
  message: string,
  pipeline: AskedPipeline,
): TextSpan | undefined {
  const named = new Set(message.match(STAGE_NAME));
  const places = pipeline.stages.flatMap((stage, index) => {
    const name: unknown = stage.children?.[0]?.children?.[0]?.value;
    return typeof name === 'string' && named.has(name)
      ? [placeInPipeline(pipeline, index, [name])]
      : [];
  });
  return places.length === 1 ? places[0] : undefined;
}
