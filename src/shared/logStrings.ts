import { type Guard, isRecord, isString } from './guards';

/** Everything the log panel says, by group and name. The panel fills `{0}` and `{1}` in. */
const names = {
  columns: ['list', 'time', 'part', 'level', 'logger', 'message'],
  /** `clear` lets all lines pass again. */
  filter: ['label', 'placeholder', 'matchCase', 'usePattern', 'clear', 'applying'],
  levels: ['label', 'debug', 'info', 'warn', 'error', 'other'],
  parts: [
    'label',
    'connecting',
    'live',
    // The service doesn't answer.
    'silent',
    'retrying',
    // With the seconds until then.
    'retryingIn',
    'stopped',
    // With a part and its state.
    'stateOf',
    'tryNow',
    'reconnect',
    // With the part.
    'remove',
    'add',
  ],
  actions: [
    'label',
    'pause',
    'pauseHint',
    'resume',
    // With the number of lines that wait.
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
    // With the number of lines below what is read.
    'newLine',
    'newLines',
  ],
  /** Of skewed clocks: labels with a duration, hints with the time of receipt. */
  clock: ['ahead', 'behind', 'aheadHint', 'behindHint'],
  /** `label` with the time zone. */
  jump: ['open', 'label', 'go', 'close', 'nothing', 'underWay'],
  /** `copyOf` with the name of what is copied. */
  details: ['loading', 'message', 'copy', 'copyOf', 'copied', 'toggle'],
  /** Lines that are missing, and those of before the oldest one. */
  load: ['gap', 'older', 'loading'],
  /** With a number of lines; `inMemory` with how many there are and how many may be. */
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

/** Everything the log panel says; the host translates it. */
export type LogStrings = {
  readonly [Group in keyof Names]: Readonly<Record<Names[Group][number], string>>;
};

export const isLogStrings: Guard<LogStrings> = (value): value is LogStrings =>
  isRecord(value) &&
  Object.entries(names).every(([group, members]) => {
    const words = value[group];
    return isRecord(words) && members.every((name) => isString(words[name]));
  });
