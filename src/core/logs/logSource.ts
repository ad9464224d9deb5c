import type { LogStore } from '../stores/logStore';

/** Where lines come from: the logs of a connection. */
export type LogSource = Pick<LogStore, 'page' | 'tail'>;
