import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { DisposableSet } from '../../../base/disposable';
import { canceled, isCanceled, toFleetError } from '../../../core/api/errors';
import type { Sleep } from '../../../core/ports';
import type { KnownItemType, RegistryItem } from '../../../core/model/registryItem';
import {
  formatPlatform,
  formatRegistryType,
  formatVisibility,
  REGISTRY_ICONS,
} from '../../platform/text/registryText';
import { RegistryListing, type RegistryRequest } from './registryListing';
import { toQuickPickText } from '../../platform/text/displayText';

/** Debounce delay in milliseconds for typing. */
const TYPING_MS = 200;

interface TypeButton extends vscode.QuickInputButton {
  readonly type: KnownItemType;
}

interface RegistryPickOptions {
  readonly store: ConstructorParameters<typeof RegistryListing>[0];
  readonly sleep: Sleep;
}

/** Quick pick of registry items that searches as the user types. */
export class RegistryPick {
  private readonly owned = new DisposableSet();
  private readonly pick = this.owned.add(vscode.window.createQuickPick<SearchItem>());
  private readonly listing: RegistryListing;
  private readonly buttons = typeButtons();
  /** Number of the last request; responses to earlier requests are ignored. */
  private requestNumber = 0;
  /** True if the list doesn't match the typed text yet. */
  private isOutdated = false;
  /** True if the user has moved to a row in the outdated list. */
  private hasMoved = false;
  /** True if VS Code has drawn the current items, false if it still shows the previous ones. */
  private isDrawn = false;
  /** True if Enter was pressed while the list was outdated. */
  private isEnterPending = false;
  /** Error in the last search. */
  private failure: string | undefined;

  constructor(private readonly options: RegistryPickOptions) {
    this.listing = this.owned.add(new RegistryListing(options.store));
  }

  /**
   * Resolves with the selected item. Throws `canceled` if the user dismisses the list, and errors
   * from the registry.
   */
  async run(): Promise<RegistryItem> {
    const { pick, owned, listing } = this;
    pick.placeholder = vscode.l10n.t('Search by ID, description, or model');
    pick.buttons = this.buttons;
    pick.matchOnDescription = true;
    pick.keepScrollPosition = true;
    try {
      return await new Promise<RegistryItem>((resolve, reject) => {
        const run = (work: Promise<void>): void => {
          const answered = work.then(() => {
            const [best] = pick.items;
            if (this.isEnterPending && !this.isOutdated && best?.item) resolve(best.item);
          });
          answered.catch((thrown: unknown) => {
            const error = toFleetError(thrown);
            // Entering different text can't fix these errors.
            if (error.action !== undefined && error.action !== 'retry') reject(error);
            else if (!isCanceled(error)) this.fail(error.message);
          });
        };
        owned.add(listing.onDidChange(() => this.draw()));
        owned.add(pick.onDidChangeValue(() => run(this.searchSoon())));
        owned.add(pick.onDidTriggerButton(() => run(this.runSearch())));
        owned.add(
          pick.onDidChangeActive(() => {
            this.isDrawn = true;
            this.hasMoved = this.isOutdated;
          }),
        );
        owned.add(pick.onDidHide(() => reject(canceled())));
        owned.add(
          pick.onDidAccept(() => {
            // VS Code reports indexes, so a selection in an outdated list would refer to the wrong
            // item in the current list.
            const [chosen] = this.isDrawn ? pick.selectedItems : pick.items;
            if (this.isOutdated && !this.hasMoved) {
              this.isEnterPending = this.pick.value.trim() !== '';
            } else if (chosen?.item) {
              resolve(chosen.item);
            } else if (chosen?.act === 'more') {
              run(listing.more(this.question));
            } else if (chosen) {
              run(this.runSearch());
            }
          }),
        );
        this.draw();
        pick.show();
        run(this.runSearch());
      });
    } finally {
      owned.dispose();
    }
  }

  private get question(): RegistryRequest {
    const types = this.buttons.filter(({ toggle }) => toggle?.checked).map(({ type }) => type);
    return { searchText: this.pick.value, types };
  }

  private async searchSoon(): Promise<void> {
    this.isOutdated = true;
    this.hasMoved = false;
    this.isEnterPending = false;
    this.requestNumber += 1;
    const mine = this.requestNumber;
    await this.options.sleep(TYPING_MS);
    if (mine === this.requestNumber) await this.runSearch();
  }

  private async runSearch(): Promise<void> {
    this.requestNumber += 1;
    const mine = this.requestNumber;
    this.isOutdated = true;
    this.failure = undefined;
    try {
      await this.listing.startSearch(this.question);
    } finally {
      if (mine === this.requestNumber) this.isOutdated = false;
    }
  }

  private fail(message: string): void {
    this.failure = message;
    this.draw();
  }

  private draw(): void {
    const { pick, listing, failure } = this;
    const { items, hasMore, isReading } = listing;
    const lines = [
      ...items.map(searchItem),
      ...(failure === undefined ? (hasMore ? [moreItem()] : []) : [failedItem(failure)]),
    ];
    if (!isDeepStrictEqual(lines, pick.items)) this.list(lines);
    pick.busy = isReading;
    pick.title = this.title(items.length, hasMore, isReading);
  }

  private list(lines: readonly SearchItem[]): void {
    const { pick } = this;
    const before = pick.items.length;
    const [active] = pick.activeItems;
    this.isDrawn = false;
    pick.items = lines;
    const stillThere = lines.find(({ item }) => item && item.id === active?.item?.id);
    // After "Load more", the first new item becomes active.
    const goesOn = active?.act === 'more' ? lines[before - 1] : stillThere;
    if (goesOn) pick.activeItems = [goesOn];
  }

  private title(shown: number, hasMore: boolean, isReading: boolean): string {
    const name = vscode.l10n.t('Search Registry');
    if (shown === 0) {
      return isReading || this.failure !== undefined
        ? name
        : vscode.l10n.t('Search Registry: no matches');
    }
    if (hasMore) return vscode.l10n.t('Search Registry: showing the first {0}', shown);
    return name;
  }
}

function typeButtons(): readonly TypeButton[] {
  const types: readonly (readonly [KnownItemType, string])[] = [
    ['module', vscode.l10n.t('Modules')],
    ['mlModel', vscode.l10n.t('Models')],
    ['trainingScript', vscode.l10n.t('Training Scripts')],
  ];
  return types.map(([type, tooltip]) => ({
    type,
    tooltip,
    toggle: { checked: false },
    iconPath: new vscode.ThemeIcon(REGISTRY_ICONS[type]),
    // VS Code supports toggles only for buttons in the input.
    location: vscode.QuickInputButtonLocation.Input,
  }));
}

/** Row in the list: an item, or an action such as loading more items or retrying. */
interface SearchItem extends vscode.QuickPickItem {
  readonly item?: RegistryItem;
  readonly act?: 'more' | 'retry';
}

function searchItem(item: RegistryItem): SearchItem {
  const { id, type, visibility, description, deprecated, versions } = item;
  const newest = versions[0]?.version ?? '';
  const warning = deprecated === undefined ? [] : [`$(warning) ${vscode.l10n.t('deprecated')}`];
  const about = [
    toQuickPickText(newest),
    formatRegistryType(type),
    formatVisibility(visibility),
    ...warning,
  ];
  const platforms = [
    ...new Set(versions[0]?.files.map(({ platform }) => formatPlatform(platform))),
  ].join(', ');
  const details = [description.trim().replace(/\s+/g, ' '), platforms].map(toQuickPickText);
  return {
    item,
    label: toQuickPickText(id),
    description: about.filter((word) => word !== '').join(' · '),
    detail: details.filter((text) => text !== '').join(' · '),
    iconPath: new vscode.ThemeIcon(REGISTRY_ICONS[type]),
    // The service has already matched the item, and it searches more than the label.
    alwaysShow: true,
  };
}

function moreItem(): SearchItem {
  return {
    act: 'more',
    label: vscode.l10n.t('More…'),
    iconPath: new vscode.ThemeIcon('ellipsis'),
    alwaysShow: true,
  };
}

function failedItem(message: string): SearchItem {
  return {
    act: 'retry',
    label: vscode.l10n.t('Retry'),
    detail: toQuickPickText(message),
    iconPath: new vscode.ThemeIcon('error'),
    alwaysShow: true,
  };
}
