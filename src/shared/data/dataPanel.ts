import { isRecord } from '../../base/isRecord';
import {
  type Guarded,
  type Guard,
  isBoolean,
  isListOf,
  isNumber,
  isOneOf,
  isOptional,
  isShape,
  isString,
  isUndefined,
} from '../guards';
import { command, notification, request } from '../protocol';
import { isRecoveryAction, recoveryMessages } from '../recoveryAction';
import { isDataFilter } from './dataFilter';

/** Tabs in a data panel, in display order. */
export const dataTabs = ['images', 'pointClouds', 'files', 'readings'] as const;
export type DataTab = (typeof dataTabs)[number];
export const isDataTab = isOneOf(...dataTabs);

const isViews: Guard<Readonly<Record<string, unknown>>> = isRecord;

export const isDataPanelState = isShape({
  /** Identifies the panel's connection and target. The host reads it; the webview only saves it. */
  panel: isString,
  filter: isDataFilter,
  tab: isDataTab,
  /** Saved states of the panel's parts by name. Each part validates its own state. */
  views: isViews,
});
/** State that the webview saves to restore the view after the window is reloaded. */
export type DataPanelState = Guarded<typeof isDataPanelState>;

/** Names of the resources and datasets that a filter refers to, by ID. */
export type FilterNames = Readonly<Record<string, ResourceName>>;

const isResourceName = isShape({
  name: isString,
  /** Path that consists of the names of the resource's ancestors, outermost first. */
  path: isString,
});
/** Name and path of a resource that a filter refers to by ID. */
export type ResourceName = Guarded<typeof isResourceName>;

const isFilterNames: Guard<FilterNames> = (value): value is FilterNames =>
  isRecord(value) && Object.values(value).every((name) => isResourceName(name));

const isStart = isShape({
  /** Title of the panel. */
  title: isString,
  locale: isString,
  panel: isString,
  /** Saved filter, or the filter with which the panel was opened. */
  filter: isDataFilter,
  /** The initial filter, which is restored when the user clears the filter. */
  opened: isDataFilter,
  tab: isDataTab,
  /** True if the API key has permission to tag, annotate, and delete data in the panel's scope. */
  canWrite: isBoolean,
  /** Reason that nothing can be changed; absent if the key's permissions are the only limit. */
  readOnly: isOptional(isString),
  /** Scripts that are loaded on demand. */
  pointCloudScript: isString,
});
export type DataStart = Guarded<typeof isStart>;

const isTabCount = isShape({
  generation: isNumber,
  tab: isDataTab,
  count: isOptional(isNumber),
  /** Total size, in bytes, of the contents; absent for readings. */
  bytes: isOptional(isNumber),
  problem: isOptional(isString),
  /** Recovery action, if there is a problem. */
  recovery: isOptional(isRecoveryAction),
});
/** Number of items in a tab, or the reason why the number isn't known. */
export type TabCount = Guarded<typeof isTabCount>;

const isOutdated = isShape({
  generation: isNumber,
  tabs: isListOf(isDataTab),
});
/** Notification that a change made in this window can affect the filter's matches in some tabs. */
export type Outdated = Guarded<typeof isOutdated>;

const isFilterApplied = isShape({
  /** Identifies this application of a filter. Requests with an earlier number are obsolete. */
  generation: isNumber,
  filter: isDataFilter,
});
/** Notification that a filter was applied, which makes all displayed data outdated. */
export type FilterApplied = Guarded<typeof isFilterApplied>;

const isPanelErrorState = isShape({
  /** The problem; absent once it is solved. */
  problem: isOptional(isString),
  /** Recovery action, if there is a problem. */
  recovery: isOptional(isRecoveryAction),
});
/**
 * Reason why the panel can't show anything: there is no connection, or the API key's permissions
 * have changed.
 */
export type PanelErrorState = Guarded<typeof isPanelErrorState>;

/** Messages about the panel as a whole. */
export const panelMessages = {
  ready: request(isUndefined, isStart),
  /** Applies a filter. `filterApplied` and the counts follow. */
  setFilter: command(isShape({ filter: isDataFilter })),
  /**
   * Reports that the page has started. The host then sends the applied filter, and loads data if it
   * hasn't done so yet.
   */
  begin: command(isUndefined),
  /** Reloads everything. */
  refresh: command(isUndefined),
  ...recoveryMessages,
  setTab: command(isShape({ tab: isDataTab })),
  filterApplied: notification(isFilterApplied),
  /** Reports that the panel's title changed. */
  titled: notification(isShape({ title: isString })),
  /**
   * Names of the resources that the applied filter refers to. They are sent separately because
   * loading them requires service calls.
   */
  filterNamed: notification(
    isShape({
      generation: isNumber,
      names: isFilterNames,
    }),
  ),
  counted: notification(isTabCount),
  /** Reports a tab's new count after a change. The listed items don't change. */
  recounted: notification(isTabCount),
  outdated: notification(isOutdated),
  /**
   * Reports that a view was opened in the panel. The page must show its tab unless there are
   * unfinished changes.
   */
  tabOpened: notification(isShape({ tab: isDataTab })),
  /** Reports that nothing can be loaded, or that loading is possible again. */
  problemChanged: notification(isPanelErrorState),
  /** Message that the service doesn't respond; absent when the service responds again. */
  silenceChanged: notification(isShape({ text: isOptional(isString) })),
} as const;
