import type { LogStore } from '../stores/logStore';

/** Source of lines: the logs of a connection. */
export type LogSource = Pick<LogStore, 'page' | 'tail'>;
