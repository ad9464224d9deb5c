import {
  type Guard,
  isBoolean,
  isListOf,
  isNothing,
  isNumber,
  isOptional,
  isRecord,
  isShape,
  isString,
} from '../guards';
import { command, notification, request } from '../protocol';
import { isRecoveryAction, type RecoveryAction, recoveryMessages } from '../recoveryAction';
import { type DataFilter, isDataFilter } from './dataFilter';
import type { DataStrings } from './dataStrings';
import { type DataTab, isDataTab } from './dataTabs';

/** State that the webview saves, so that a reload of the window restores the view. */
export interface DataPanelState {
  /**
   * Identifies the connection and target of the panel. The host reads it; the webview only saves
   * it.
   */
  readonly panel: string;
  readonly filter: DataFilter;
  readonly tab: DataTab;
  /** Saved state of the panel's parts by name; each part validates its own. */
  readonly views: Readonly<Record<string, unknown>>;
}

const isViews: Guard<DataPanelState['views']> = isRecord;

export const isDataPanelState = isShape<DataPanelState>({
  panel: isString,
  filter: isDataFilter,
  tab: isDataTab,
  views: isViews,
});

/** Name and path of a resource that a filter refers to by ID. */
export interface ResourceName {
  readonly name: string;
  /** Path with the names of its ancestors, outermost first. */
  readonly path: string;
}

/** Names of the resources and datasets that a filter refers to, by ID. */
export type FilterNames = Readonly<Record<string, ResourceName>>;

const isResourceName = isShape<ResourceName>({ name: isString, path: isString });
const isFilterNames: Guard<FilterNames> = (value): value is FilterNames =>
  isRecord(value) && Object.values(value).every((name) => isResourceName(name));

export interface DataStart {
  /** Title of the panel. */
  readonly title: string;
  readonly strings: DataStrings;
  readonly locale: string;
  readonly panel: string;
  /** The saved filter, or the one with which the panel was opened. */
  readonly filter: DataFilter;
  /** The initial filter, which is restored when the user clears the filter. */
  readonly opened: DataFilter;
  readonly tab: DataTab;
  /** True if the API key can tag, annotate, and delete here. */
  readonly canWrite: boolean;
  /** Scripts that are loaded on demand. */
  readonly pointCloudScript: string;
}

const isStrings: Guard<DataStrings> = (value): value is DataStrings => isRecord(value);

const isStart = isShape<DataStart>({
  title: isString,
  strings: isStrings,
  locale: isString,
  panel: isString,
  filter: isDataFilter,
  opened: isDataFilter,
  tab: isDataTab,
  canWrite: isBoolean,
  pointCloudScript: isString,
});

/** A filter was applied, so everything that is shown is outdated. */
export interface FilterApplied {
  /** Identifies this application; requests of earlier ones are obsolete. */
  readonly generation: number;
  readonly filter: DataFilter;
}

/** Number of items in a tab, or the reason why it isn't known. */
export interface TabCount {
  readonly generation: number;
  readonly tab: DataTab;
  readonly count?: number | undefined;
  /** Size of the contents in bytes; absent for readings. */
  readonly bytes?: number | undefined;
  readonly problem?: string | undefined;
  /** Recovery action, if there is a problem. */
  readonly way?: RecoveryAction | undefined;
}

/**
 * Reason why nothing can be shown: there is no connection, or the permissions of the API key have
 * changed.
 */
export interface PanelErrorState {
  /** Absent when the problem is solved. */
  readonly problem?: string | undefined;
  /** Recovery action, if there is a problem. */
  readonly way?: RecoveryAction | undefined;
}

const isTabCount = isShape<TabCount>({
  generation: isNumber,
  tab: isDataTab,
  count: isOptional(isNumber),
  bytes: isOptional(isNumber),
  problem: isOptional(isString),
  way: isOptional(isRecoveryAction),
});

/** A change in this window can affect the filter's matches in some tabs. */
export interface Outdated {
  readonly generation: number;
  readonly tabs: readonly DataTab[];
}

const isOutdated = isShape<Outdated>({ generation: isNumber, tabs: isListOf(isDataTab) });

/** Messages of the panel as a whole. */
export const panelMessages = {
  ready: request(isNothing, isStart),
  /** Applies a filter; followed by `filterApplied` and the counts. */
  setFilter: command(isShape<{ filter: DataFilter }>({ filter: isDataFilter })),
  /**
   * The page has started: sends it the applied filter, and loads data if that hasn't happened yet.
   */
  begin: command(isNothing),
  /** Reloads everything. */
  refresh: command(isNothing),
  ...recoveryMessages,
  setTab: command(isShape<{ tab: DataTab }>({ tab: isDataTab })),
  filterApplied: notification(
    isShape<FilterApplied>({ generation: isNumber, filter: isDataFilter }),
  ),
  /** The title of the panel changed. */
  titled: notification(isShape<{ title: string }>({ title: isString })),
  /** Names of the resources that the applied filter refers to, which require requests. */
  filterNamed: notification(
    isShape<{ generation: number; names: FilterNames }>({
      generation: isNumber,
      names: isFilterNames,
    }),
  ),
  counted: notification(isTabCount),
  /** New count of a tab after a change; the listed items stay as they are. */
  recounted: notification(isTabCount),
  outdated: notification(isOutdated),
  /** A view was opened in the panel: its tab must be shown, unless there are unfinished changes. */
  tabOpened: notification(isShape<{ tab: DataTab }>({ tab: isDataTab })),
  /** Nothing can be loaded, or it works again. */
  troubled: notification(
    isShape<PanelErrorState>({ problem: isOptional(isString), way: isOptional(isRecoveryAction) }),
  ),
  /** A message that the service doesn't respond; absent when it responds again. */
  silenceChanged: notification(
    isShape<{ text?: string | undefined }>({ text: isOptional(isString) }),
  ),
} as const;
