import { toDisplayText } from '../../../../core/model/toDisplayText';
import type { TrainingLogLine } from '../../../../core/model/trainingLog';
import type { JobLog, JobLogLine } from '../../../../shared/training';
import type { JobLogFeed } from './jobLogFeed';
import { pageProgress } from './pageProgress';

/** Maximum number of lines in one message to the page. */
const MAX_LINES = 2_000;
const MAX_LINE_LENGTH = 4_000;

const LEVELS: readonly (readonly [JobLogLine['level'], RegExp])[] = [
  ['error', /^(?:error|fatal|critical|panic)/i],
  ['warn', /^warn/i],
];

/** Returns a chunk of a log, starting at a line number counted from 0 among all logged lines. */
export function pageLog(
  { follower, failure }: JobLogFeed,
  from: number,
  problemText: (failure: NonNullable<JobLogFeed['failure']>) => string,
): JobLog {
  const { lines, dropped } = follower;
  const start = Math.min(Math.max(from, dropped), dropped + lines.length);
  return {
    from: start,
    lines: lines.slice(start - dropped, start - dropped + MAX_LINES).map(pageLine),
    total: dropped + lines.length,
    first: dropped,
    ...(failure && { problem: problemText(failure) }),
    progress: pageProgress(follower.progress),
  };
}

function pageLine({ level, at, message }: TrainingLogLine): JobLogLine {
  return {
    ...(at && { at: at.getTime() }),
    level: LEVELS.find(([, pattern]) => pattern.test(level))?.[0] ?? 'info',
    message: toDisplayText(message.replaceAll('\t', '    '), MAX_LINE_LENGTH),
  };
}
