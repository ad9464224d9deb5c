import type { ChangeLabels } from '../../../../../src/host/features/history/documentHistory';

/** Short phrases for comparisons. */
export const plainMessages: ChangeLabels = {
  firstVersion: 'first',
  unknown: 'unknown',
  onlyLayout: 'layout',
  wholeDocument: 'all',
  renamed: (from, to) => `${from} => ${to}`,
  added: (where) => `+${where}`,
  removed: (where) => `-${where}`,
  changed: (where) => `~${where}`,
  andMore: (first, others) => `${first} and ${others} more`,
  more: (hidden) => `${hidden} more`,
};
