import { type Guard, isRecord, isString } from './guards';

/** Names of all strings for the log panel, by group. The panel replaces `{0}` and `{1}`. */
const names = {
  columns: ['list', 'time', 'part', 'level', 'logger', 'message'],
  /** `clear` removes the filter. */
  filter: ['label', 'placeholder', 'matchCase', 'usePattern', 'clear', 'applying'],
  levels: ['label', 'debug', 'info', 'warn', 'error', 'other'],
  parts: [
    'label',
    'connecting',
    'live',
    // Shown if the service doesn't respond.
    'silent',
    'retrying',
    // Placeholder: number of seconds until the next attempt.
    'retryingIn',
    'stopped',
    // Placeholders: a part and its state.
    'stateOf',
    'tryNow',
    'reconnect',
    // Placeholder: the part.
    'remove',
    'add',
  ],
  actions: [
    'label',
    'pause',
    'pauseHint',
    'resume',
    // Placeholder: number of waiting lines.
    'resumeWithOne',
    'resumeWith',
    'clear',
    'clearHint',
    'more',
    'copy',
    'copyAll',
    'exportLines',
    'openDocument',
    'queryReadings',
    'loadOlder',
    'timesInUtc',
    'orderByReceipt',
    'scrollToEnd',
    // Placeholder: number of lines below the viewport.
    'newLine',
    'newLines',
  ],
  /**
   * Strings for skewed clocks. The placeholder is a duration in labels and the time of receipt in
   * hints.
   */
  clock: ['ahead', 'behind', 'aheadHint', 'behindHint'],
  /** Placeholder of `label`: the time zone. */
  jump: ['open', 'label', 'go', 'close', 'nothing', 'inProgress'],
  /** Placeholder of `copyOf`: the name of the value to copy. */
  details: ['loading', 'message', 'copy', 'copyOf', 'copied', 'toggle'],
  /** Strings for gaps, and for loading lines before the oldest loaded line. */
  load: ['gap', 'older', 'loading'],
  /**
   * Placeholder: a number of lines. `inMemory` has two: the number of buffered lines and its
   * maximum.
   */
  status: [
    'shownOne',
    'shown',
    'inMemory',
    'droppedOne',
    'dropped',
    'missedOne',
    'missed',
    'selectedOne',
    'selected',
    'changeLimit',
    'paused',
  ],
  empty: ['noParts', 'connecting', 'nothingYet', 'nothingPasses', 'stopped'],
  failure: ['failed', 'dismiss'],
  ways: ['retry', 'signIn', 'startLocalFleet'],
} as const;

type Names = typeof names;

/** All strings of the log panel; the host translates them. */
export type LogStrings = {
  readonly [Group in keyof Names]: Readonly<Record<Names[Group][number], string>>;
};

export const isLogStrings: Guard<LogStrings> = (value): value is LogStrings =>
  isRecord(value) &&
  Object.entries(names).every(([group, members]) => {
    const strings = value[group];
    return isRecord(strings) && members.every((name) => isString(strings[name]));
  });
