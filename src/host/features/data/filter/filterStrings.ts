import * as vscode from 'vscode';
import type { FilterStrings, IntervalStrings } from '../../../../shared/data/dataFilter';

const HOUR = 60;
const DAY = 24 * HOUR;

/** Returns the localized strings of the filter. */
export function filterStrings(): FilterStrings {
  return {
    filter: vscode.l10n.t('Filter'),
    filterHint: vscode.l10n.t('Show or hide filter options'),
    summary: vscode.l10n.t('Active filters'),
    clearAll: vscode.l10n.t('Clear All'),
    clearAllHint: vscode.l10n.t('Restore the initial filter'),
    remove: vscode.l10n.t('Remove {0}'),
    chip: vscode.l10n.t('{0}: {1}'),
    fields: {
      organization: vscode.l10n.t('Organization'),
      location: vscode.l10n.t('Location'),
      machine: vscode.l10n.t('Machine'),
      part: vscode.l10n.t('Part'),
      machineName: vscode.l10n.t('Machine Name'),
      partName: vscode.l10n.t('Part Name'),
      componentName: vscode.l10n.t('Component Name'),
      componentType: vscode.l10n.t('Component Type'),
      method: vscode.l10n.t('Method'),
      mimeType: vscode.l10n.t('MIME Type'),
      time: vscode.l10n.t('Captured'),
      tags: vscode.l10n.t('Tags'),
      labels: vscode.l10n.t('Labels'),
      dataset: vscode.l10n.t('Dataset'),
    },
    more: vscode.l10n.t('More'),
    save: vscode.l10n.t('Save Filter…'),
    openSaved: vscode.l10n.t('Open Saved Filter…'),
    copyLink: vscode.l10n.t('Copy Link to This View'),
    queryReadings: vscode.l10n.t('Query These Readings'),
    pick: {
      location: vscode.l10n.t('Add Location…'),
      machine: vscode.l10n.t('Select Machine…'),
      part: vscode.l10n.t('Select Part…'),
      dataset: vscode.l10n.t('Select Dataset…'),
    },
    tags: {
      any: vscode.l10n.t('Tagged or not'),
      anyOf: vscode.l10n.t('Any of these tags'),
      tagged: vscode.l10n.t('Tagged'),
      untagged: vscode.l10n.t('Untagged'),
    },
    interval: intervalStrings(),
    complete: {
      add: vscode.l10n.t('Add…'),
      any: vscode.l10n.t('Any'),
      noMatch: vscode.l10n.t('No existing value matches. Press Enter to use it as is.'),
      more: vscode.l10n.t('More results available. Keep typing to narrow them down.'),
      failed: vscode.l10n.t("Couldn't load the suggestions: {0}"),
      found: vscode.l10n.t('Suggestions: {0}'),
    },
  };
}

function intervalStrings(): IntervalStrings {
  return {
    any: vscode.l10n.t('Any time'),
    presets: [
      { minutes: 15, label: vscode.l10n.t('Last 15 minutes') },
      { minutes: HOUR, label: vscode.l10n.t('Last hour') },
      { minutes: DAY, label: vscode.l10n.t('Last 24 hours') },
      { minutes: 7 * DAY, label: vscode.l10n.t('Last 7 days') },
      { minutes: 30 * DAY, label: vscode.l10n.t('Last 30 days') },
    ],
    lastMinutes: vscode.l10n.t('Last {0} minutes'),
    between: vscode.l10n.t('Between…'),
    from: vscode.l10n.t('From'),
    to: vscode.l10n.t('To (exclusive)'),
    since: vscode.l10n.t('since {0}'),
    until: vscode.l10n.t('before {0}'),
    span: vscode.l10n.t('{0} to {1}'),
    utc: vscode.l10n.t('UTC'),
    utcHint: vscode.l10n.t('Times in UTC instead of the local time zone'),
    backwards: vscode.l10n.t('The end must be later than the start.'),
    incomplete: vscode.l10n.t('Enter a complete date and time, or leave the field empty.'),
  };
}
