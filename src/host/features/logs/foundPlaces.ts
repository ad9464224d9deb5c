import { type LineFilter, createPattern } from '../../../core/logs/lineFilter';
import type { RunWithin } from './runWithin';

/** Start and end of each match of the filter in a text. */
export type MatchRanges = readonly (readonly [start: number, end: number])[];

/** Finds the matches of a filter in texts. */
export type FindMatches = (texts: readonly string[]) => readonly MatchRanges[];

/** Maximum number of highlighted matches in one row. */
const MAX_MATCHES = 100;

/**
 * Returns a function that finds the matches of a filter's text. The function finds no matches if
 * the text isn't a valid expression. After the first timeout, it stops searching so that it never
 * waits again.
 */
export function createMatchFinder(
  filter: Pick<LineFilter, 'text' | 'isPattern' | 'matchCase'>,
  runWithin: RunWithin,
): FindMatches {
  const pattern = markedPattern(filter);
  let isUsable = pattern !== undefined;
  return (texts) => {
    const done =
      pattern && isUsable
        ? runWithin(() => texts.map((text) => findRanges(text, pattern)))
        : undefined;
    isUsable = done !== undefined;
    return done?.result ?? texts.map(() => []);
  };
}

function findRanges(text: string, pattern: RegExp): MatchRanges {
  const ranges: [number, number][] = [];
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (found !== '') ranges.push([index, index + found.length]);
    if (ranges.length === MAX_MATCHES) break;
  }
  return ranges;
}

function markedPattern(filter: Parameters<typeof createMatchFinder>[0]): RegExp | undefined {
  if (filter.text === '') return undefined;
  try {
    const { source, flags } = createPattern(filter);
    return new RegExp(source, `${flags}g`);
  } catch {
    return undefined;
  }
}
