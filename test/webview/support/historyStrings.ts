import type { HistoryStrings } from '../../../src/shared/history';

/** What the host says in English, for an app without a host. */
export const historyStrings: HistoryStrings = {
  heading: 'History of',
  columns: {
    select: 'Select',
    time: 'Time',
    editor: 'Editor',
    change: 'Change',
    actions: 'Actions',
  },
  compareSelected: 'Compare Selected',
  compareHint: 'Select two versions to compare them.',
  compareWithCurrent: 'Compare',
  compareWithCurrentHint: 'Compare this version with the current one',
  showChange: 'Changes',
  showChangeHint: 'Show what this edit changed',
  restore: 'Restore…',
  restoreHint: 'Make this version the current one',
  refresh: 'Refresh',
  loadMore: 'Load More',
  retry: 'Retry',
  loading: 'Reading the history…',
  empty: 'Nothing was changed yet.',
  failed: 'The history could not be read.',
  current: 'current',
  beginning: 'Beginning',
  unknownEditor: 'unknown',
  notKept: 'The service does not keep this version any more.',
  moreChanges: 'Show all changes',
  selectRow: 'Select the version of {0} by {1}',
};
