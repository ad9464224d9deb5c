import * as vscode from 'vscode';
import { hasRight } from '../../../core/model/permissions';
import type { DataFilter } from '../../../shared/data/dataFilter';
import type { DataStrings, DataTab, panelMessages } from '../../../shared/data/dataPanel';
import type { HostHandlers } from '../../../shared/protocol';
import type { Commands } from '../../platform/commands/commandRegistry';
import { createRecoveryHandlers, getRecoveryLabels } from '../../platform/webview/recoveryActions';
import type { DataSession } from './dataSession';
import { type DescribedPanel, describePanel } from './panelDescription';
import { boxStrings } from './boxes/boxStrings';
import { cloudStrings, itemStrings } from './items/itemStrings';
import { filterStrings } from './filter/filterStrings';
import { trialStrings } from './trials/trialStrings';
import type { DropStrings } from '../../../shared/data/drops';
import type { ProposalStrings } from '../../../shared/data/proposals';
import type { ActionStrings } from '../../../shared/data/actions';
import type { ReadingStrings } from '../../../shared/data/readings';
import {
  chooserStrings,
  getFigureStrings,
  tableToolStrings,
  viewerStrings,
} from '../../platform/text/tableStrings';

interface PanelPage extends DescribedPanel {
  readonly session: DataSession;
  /** Filter to restore when the user clears the filter. */
  readonly opened: DataFilter;
  readonly commands: Pick<Commands, 'execute'>;
  /** URI that the webview can load. */
  readonly pointCloudScript: string;
  readonly tab: () => DataTab;
  readonly setTab: (tab: DataTab) => void;
  readonly title: () => string;
  /** Records the permission that was sent to the page. */
  readonly recordMayWrite: (may: boolean) => void;
  /** Returns true if a filter is applied and nothing has changed since then. */
  readonly isUpToDate: () => boolean;
  /** Sends the already applied filter to the page. */
  readonly resendFilter: () => void;
}

/** Returns the handlers for messages of the panel as a whole. */
export function panelHandlers(page: PanelPage): HostHandlers<typeof panelMessages> {
  const { session, target, owner, opened, commands, pointCloudScript } = page;
  const canWrite = async (): Promise<boolean> =>
    !session.isSignedIn ||
    hasRight(target.kind, await session.stores.access.mayWith(target), 'writeData');
  return {
    ready: async () => {
      const may = await canWrite();
      page.recordMayWrite(may);
      return {
        strings: dataStrings(),
        locale: vscode.env.language,
        panel: describePanel({ target, owner }),
        filter: session.filter,
        opened,
        tab: page.tab(),
        title: page.title(),
        canWrite: may,
        pointCloudScript,
      };
    },
    begin: () => (page.isUpToDate() ? page.resendFilter() : session.apply()),
    setFilter: ({ filter }) => session.apply(filter),
    refresh: () => session.apply(),
    setTab: ({ tab }) => page.setTab(tab),
    ...createRecoveryHandlers(commands, () => session.apply()),
  };
}

/** Returns the localized strings of the panel. The webview fills in the placeholders. */
export function dataStrings(): DataStrings {
  return {
    frame: {
      tabs: vscode.l10n.t('Data types'),
      tabNames: {
        images: vscode.l10n.t('Images'),
        pointClouds: vscode.l10n.t('Point Clouds'),
        files: vscode.l10n.t('Files'),
        readings: vscode.l10n.t('Readings'),
      },
      refresh: vscode.l10n.t('Refresh'),
      clearFilter: vscode.l10n.t('Clear Filter'),
      changed: vscode.l10n.t('Data has changed. Other items might match now.'),
      counting: vscode.l10n.t('Counting…'),
      notCounted: vscode.l10n.t("Couldn't count the items: {0}"),
      ways: getRecoveryLabels(),
    },
    filter: filterStrings(),
    items: itemStrings(),
    actions: actionStrings(),
    boxes: boxStrings(),
    readings: readingStrings(),
    clouds: cloudStrings(),
    drops: dropStrings(),
    trials: trialStrings(),
    proposals: proposalStrings(),
  };
}

/** Returns the panel's strings for dropped files. */
function dropStrings(): DropStrings {
  return {
    upload: vscode.l10n.t('Upload…'),
    uploadHint: vscode.l10n.t(
      'Upload files or folders. You can also drop them into this panel. Hold Shift while you drag from the VS Code Explorer.',
    ),
    dropHere: vscode.l10n.t('Drop files to upload them'),
    mayNotWrite: vscode.l10n.t("This API key doesn't have permission to add data here."),
  };
}

/** Returns the strings of the proposal review. The webview fills in the placeholders. */
function proposalStrings(): ProposalStrings {
  return {
    heading: vscode.l10n.t('Labels proposed by {0}'),
    tools: vscode.l10n.t('Review'),
    threshold: vscode.l10n.t('Confidence'),
    thresholdHint: vscode.l10n.t('Show proposals with at least this confidence'),
    acceptAll: vscode.l10n.t('Accept All'),
    acceptAllHint: vscode.l10n.t('Accept all visible proposals that are not rejected'),
    save: vscode.l10n.t('Save Accepted'),
    saveCount: vscode.l10n.t('Save {0} Accepted'),
    saving: vscode.l10n.t('Saving…'),
    close: vscode.l10n.t('Close Review'),
    counts: vscode.l10n.t('Proposals: {0}, accepted: {1}, rejected: {2}'),
    keys: vscode.l10n.t(
      'Press A to accept or R to reject a proposal. Use the arrow keys to move between proposals.',
    ),
    list: vscode.l10n.t('Proposed labels'),
    none: vscode.l10n.t('No proposals have at least this confidence. Lower the value to see more.'),
    accept: vscode.l10n.t('Accept'),
    reject: vscode.l10n.t('Reject'),
    acceptLabel: vscode.l10n.t('Accept {0} on {1}'),
    rejectLabel: vscode.l10n.t('Reject {0} on {1}'),
    resume: vscode.l10n.t('Resume Review'),
    resumeHint: vscode.l10n.t('Reopen the review with all decisions'),
    discard: vscode.l10n.t('Discard'),
    discardHint: vscode.l10n.t('Discard the unsaved labels'),
  };
}

function actionStrings(): ActionStrings {
  return {
    label: vscode.l10n.t('Selected items'),
    selectedOne: vscode.l10n.t('1 selected'),
    selected: vscode.l10n.t('{0} selected'),
    selectionNotSaved: vscode.l10n.t(
      'Selections of more than {0} items are cleared when you hide the panel.',
    ),
    selectAll: vscode.l10n.t('Select all {0} matching items'),
    clear: vscode.l10n.t('Clear Selection'),
    more: vscode.l10n.t('More Actions'),
    undo: vscode.l10n.t('Undo'),
    undoHint: vscode.l10n.t('Undo: {0} (Ctrl+Z)'),
    readOnly: vscode.l10n.t("Your API key doesn't have permission to edit this data"),
    actions: {
      addTags: vscode.l10n.t('Add Tags…'),
      removeTags: vscode.l10n.t('Remove Tags…'),
      proposeLabels: vscode.l10n.t('Propose Labels…'),
      addToDataset: vscode.l10n.t('Add to Dataset…'),
      removeFromDataset: vscode.l10n.t('Remove from Dataset…'),
      download: vscode.l10n.t('Download…'),
      delete: vscode.l10n.t('Delete…'),
    },
    hints: {
      addTags: vscode.l10n.t('Add tags to the selected items (T)'),
      removeTags: vscode.l10n.t('Remove tags from the selected items (Shift+T)'),
      proposeLabels: vscode.l10n.t('Use a model to propose labels for the selected images (P)'),
      addToDataset: vscode.l10n.t('Add the selected items to a dataset (D)'),
      removeFromDataset: vscode.l10n.t('Remove the selected items from a dataset (Shift+D)'),
      download: vscode.l10n.t('Download the selected items to a folder (S)'),
      delete: vscode.l10n.t('Delete the selected items (Delete)'),
    },
  };
}

/** Returns the localized strings of the Readings tab. */
function readingStrings(): ReadingStrings {
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

/** Returns the strings of the chart and the latest values. */
function chartStrings(): Pick<ReadingStrings, 'chart' | 'latest'> {
  return {
    chart: {
      label: vscode.l10n.t('Readings over time'),
      choose: vscode.l10n.t('Select Columns…'),
      chooseHint: vscode.l10n.t('Select the numbers to chart.'),
      noNumbers: vscode.l10n.t('The loaded readings contain no numbers.'),
      keys: vscode.l10n.t(
        'Left and Right move the cursor; with Shift, they move it by ten points. Plus and minus zoom, and 0 shows everything.',
      ),
      points: vscode.l10n.t('{0} points from {1} to {2}'),
      rows: vscode.l10n.t('From the {0} of {1} readings loaded so far'),
      thinned: vscode.l10n.t('Downsampled to the minimum and maximum of each interval'),
      leftOut: vscode.l10n.t('{0} more series are not drawn. Narrow the filter to see them.'),
      mostColumns: vscode.l10n.t('A chart can show up to {0} columns.'),
      ...getFigureStrings({
        table: vscode.l10n.t('Chart line values'),
        series: vscode.l10n.t('Series'),
      }),
      wholeSpan: vscode.l10n.t('Entire Range'),
      noData: vscode.l10n.t('These columns have no values to chart.'),
    },
    latest: {
      label: vscode.l10n.t('Latest value of each resource'),
      resource: vscode.l10n.t('Resource'),
      method: vscode.l10n.t('Method'),
      when: vscode.l10n.t('Time'),
      value: vscode.l10n.t('Value'),
      noData: vscode.l10n.t('No data within the last year'),
      among: vscode.l10n.t('{0} resources in the {1} readings loaded so far'),
      refresh: vscode.l10n.t('Refresh'),
    },
  };
}
