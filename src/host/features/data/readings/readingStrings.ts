import * as vscode from 'vscode';
import type { ReadingStrings } from '../../../../shared/data/readingStrings';
import { chooserStrings, tableToolStrings, viewerStrings } from '../../../platform/tableStrings';
import { chartStrings } from './chartStrings';

/** Returns the localized strings of the Readings tab. */
export function readingStrings(): ReadingStrings {
  return {
    views: {
      label: vscode.l10n.t('Show readings as'),
      table: vscode.l10n.t('Table'),
      chart: vscode.l10n.t('Chart'),
      latest: vscode.l10n.t('Latest Values'),
    },
    tools: {
      ...tableToolStrings({
        label: vscode.l10n.t('Readings'),
        exportHint: vscode.l10n.t('Export all readings that match the filter to a file'),
      }),
      newestFirst: vscode.l10n.t('Newest First'),
      oldestFirst: vscode.l10n.t('Oldest First'),
      timesInUtc: vscode.l10n.t('Show Times in UTC'),
    },
    table: {
      label: vscode.l10n.t('Readings'),
      columnNames: {
        time: vscode.l10n.t('Time'),
        machine: vscode.l10n.t('Machine'),
        part: vscode.l10n.t('Part'),
        component: vscode.l10n.t('Component'),
        method: vscode.l10n.t('Method'),
        tags: vscode.l10n.t('Tags'),
      },
      loading: vscode.l10n.t('Loading…'),
      keys: vscode.l10n.t(
        'Arrow keys move between cells, Shift+arrow keys select rows, Enter shows the whole cell, and Ctrl+C copies. On a header, Enter sorts, and Shift+Left and Shift+Right change the width.',
      ),
      sortHint: vscode.l10n.t('Sort by {0}'),
      resize: vscode.l10n.t('Drag to change the width'),
    },
    columns: chooserStrings(),
    status: {
      read: vscode.l10n.t('Loaded {0} of {1} readings'),
      all: vscode.l10n.t('Loaded all {0} readings'),
      sorted: vscode.l10n.t('Sorted within the {0} of {1} readings loaded so far'),
      readAll: vscode.l10n.t('Load All'),
      readMost: vscode.l10n.t('Load {0}'),
      reading: vscode.l10n.t('Loading {0} of {1}…'),
      stop: vscode.l10n.t('Stop'),
      full: vscode.l10n.t(
        'No more items fit into memory. Narrow the filter, or export all of them.',
      ),
      overflow: vscode.l10n.t("Some values aren't shown in columns because there are too many."),
      selectedOne: vscode.l10n.t('1 row selected'),
      selected: vscode.l10n.t('{0} rows selected'),
    },
    viewer: viewerStrings({ emptyContent: vscode.l10n.t('No value') }),
    states: {
      loading: vscode.l10n.t('Loading…'),
      empty: vscode.l10n.t('No readings match the filter.'),
      nothingYet: vscode.l10n.t('No readings have been captured here yet.'),
      failed: vscode.l10n.t("Couldn't load the readings. {0}"),
    },
    ...chartStrings(),
  };
}
