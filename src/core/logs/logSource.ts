import type { LogStore } from '../stores/logStore';

/** Source of log lines: the log store of a connection. */
export type LogSource = Pick<LogStore, 'page' | 'tail'>;
