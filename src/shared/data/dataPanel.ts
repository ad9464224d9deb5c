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
import { isWayOut, type WayOut, wayOutMessages } from '../wayOut';
import { type DataFilter, isDataFilter } from './dataFilter';
import type { DataStrings } from './dataStrings';
import { type DataTab, isDataTab } from './dataTabs';

/** What the webview keeps of itself, so that a reload of the window shows the same again. */
export interface DataPanelState {
  /** Says of which connection and place the panel is. The host reads it, the webview only keeps it. */
  readonly panel: string;
  readonly filter: DataFilter;
  readonly tab: DataTab;
  /** What parts of the panel keep of themselves, by their names; each checks what it finds. */
  readonly views: Readonly<Record<string, unknown>>;
}

const isViews: Guard<DataPanelState['views']> = isRecord;

export const isDataPanelState = isShape<DataPanelState>({
  panel: isString,
  filter: isDataFilter,
  tab: isDataTab,
  views: isViews,
});

/** How something that a filter refers to by its id is called, and where it is. */
export interface PlaceName {
  readonly name: string;
  /** With the names of what it is in, outermost first. */
  readonly path: string;
}

/** The names of the places and datasets that a filter refers to by their ids. */
export type FilterNames = Readonly<Record<string, PlaceName>>;

const isPlaceName = isShape<PlaceName>({ name: isString, path: isString });
const isFilterNames: Guard<FilterNames> = (value): value is FilterNames =>
  isRecord(value) && Object.values(value).every((name) => isPlaceName(name));

export interface DataStart {
  /** Of the panel. */
  readonly title: string;
  readonly strings: DataStrings;
  readonly locale: string;
  readonly panel: string;
  /** What was kept, or what the panel was opened with. */
  readonly filter: DataFilter;
  /** What it was opened on, which clearing the filter goes back to. */
  readonly opened: DataFilter;
  readonly tab: DataTab;
  /** Whether the key may tag, annotate and delete here. */
  readonly canWrite: boolean;
  /** Scripts that are loaded when they are first needed. */
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

/** A filter has been applied, and everything that was shown is out of date. */
export interface FilterApplied {
  /** Names this application; what belongs to another one is not asked for any more. */
  readonly generation: number;
  readonly filter: DataFilter;
}

/** How much a tab has: a number, or why it is not known. */
export interface TabCount {
  readonly generation: number;
  readonly tab: DataTab;
  readonly count?: number | undefined;
  /** Size of the contents in bytes; absent for readings. */
  readonly bytes?: number | undefined;
  readonly problem?: string | undefined;
  /** What helps where there is a problem. */
  readonly way?: WayOut | undefined;
}

/** Why nothing can be shown: it is not known as whom to ask, or what the key may do has changed. */
export interface PanelTrouble {
  /** Absent when it is over. */
  readonly problem?: string | undefined;
  /** What helps where there is a problem. */
  readonly way?: WayOut | undefined;
}

const isTabCount = isShape<TabCount>({
  generation: isNumber,
  tab: isDataTab,
  count: isOptional(isNumber),
  bytes: isOptional(isNumber),
  problem: isOptional(isString),
  way: isOptional(isWayOut),
});

/** What was changed in this window may alter what the filter selects in some tabs. */
export interface Outdated {
  readonly generation: number;
  readonly tabs: readonly DataTab[];
}

const isOutdated = isShape<Outdated>({ generation: isNumber, tabs: isListOf(isDataTab) });

/** Messages of the panel as a whole. */
export const panelMessages = {
  ready: request(isNothing, isStart),
  /** Applies a filter; `filterApplied` follows, and the counts. */
  setFilter: command(isShape<{ filter: DataFilter }>({ filter: isDataFilter })),
  /** The page is there: tells it what is at work, which is read when nothing is yet. */
  begin: command(isNothing),
  /** Reads everything again. */
  refresh: command(isNothing),
  ...wayOutMessages,
  setTab: command(isShape<{ tab: DataTab }>({ tab: isDataTab })),
  filterApplied: notification(
    isShape<FilterApplied>({ generation: isNumber, filter: isDataFilter }),
  ),
  /** What the panel shows is called something else. */
  titled: notification(isShape<{ title: string }>({ title: isString })),
  /** The names of what the filter at work refers to, which take calls to read. */
  filterNamed: notification(
    isShape<{ generation: number; names: FilterNames }>({
      generation: isNumber,
      names: isFilterNames,
    }),
  ),
  counted: notification(isTabCount),
  /** How much a tab has by now, after a change; what is listed stays as it was. */
  recounted: notification(isTabCount),
  outdated: notification(isOutdated),
  /** A view was opened in the panel: its tab is to be shown, unless something unfinished is in the way. */
  tabOpened: notification(isShape<{ tab: DataTab }>({ tab: isDataTab })),
  /** Nothing can be read, or it can again. */
  troubled: notification(
    isShape<PanelTrouble>({ problem: isOptional(isString), way: isOptional(isWayOut) }),
  ),
  /** The service doesn't respond, in words; without a text, it responds again. */
  silenceChanged: notification(
    isShape<{ text?: string | undefined }>({ text: isOptional(isString) }),
  ),
} as const;
