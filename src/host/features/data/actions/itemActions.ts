import * as vscode from 'vscode';
import { Disposable } from '../../../../base/disposable';
import {
  addTagsAction,
  addToDatasetAction,
  type BulkAction,
  type BulkTarget,
  deleteAction,
  getItemCount,
  joinUndoSteps,
  removeFromDatasetAction,
  removeTagsAction,
  type Undoable,
  type UndoSteps,
} from '../../../../core/data/actions/bulkAction';
import { presentTags } from '../../../../core/data/actions/inspectTarget';
import { runAction, undoAction } from '../../../../core/data/actions/runAction';
import {
  formatItemAction,
  formatItemChange,
  type ItemChange,
  listItemMachines,
  MAX_CHECKED_MACHINES,
} from '../../../../core/confirmations/itemChanges';
import type { Sleep } from '../../../../core/ports';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { actionMessages, RequestedAction } from '../../../../shared/data/dataProtocol';
import type { HostHandlers } from '../../../../shared/protocol';
import { toDisplayText } from '../../../../core/model/displayText';
import { promptForTags } from '../../../platform/prompts/promptForTags';
import type { BulkReports } from '../../../platform/commands/bulkReports';
import { reading } from '../../../platform/commands/progress';
import type { DataSession } from '../dataSession';
import {
  actionReport,
  formatItemsByOrganization,
  listOrganizations,
  requireOneOrganization,
} from './actionMessages';
import { type ActionTarget, actionTarget, confirmDeletion, confirmWhole } from './actionTarget';
import { downloadItems } from './downloadItems';
import { everyCapture } from '../../../../core/model/captureFilter';
import type { BinaryItem } from '../../../../core/model/binaryItem';
import type { ConnectionId } from '../../../../core/model/ids';
import { hasRight, type Right, toRoleScope } from '../../../../core/model/permissions';
import { requireRight } from '../../../platform/permissions/requireRight';
import { FleetError } from '../../../../core/api/errors';
import type { Dataset } from '../../../../core/model/dataset';
import { getNames } from '../../../../core/model/resourceName';
import { pickOne, promptForName } from '../../../platform/prompts/prompts';
import { formatList, iconLabel, toQuickPickText } from '../../../platform/text/displayText';

export interface ItemActionsOptions {
  readonly session: DataSession;
  readonly reports: BulkReports;
  readonly sleep: Sleep;
  /** Notifies the webview about the action that an undo would revert. */
  readonly notifyUndoable: (text: string | undefined) => void;
  /** Runs a model that proposes labels for the images in a target. */
  readonly propose: (target: BulkTarget) => Promise<void>;
  /** Returns the keyboard focus to the panel after prompts. */
  readonly focus: () => void;
}

/** Returns the current connection's stores. */
type StoresNow = () => FleetStores;

/** Confirmed action. */
interface Task {
  readonly title: string;
  readonly target: BulkTarget;
  readonly action: BulkAction;
}

/** Last completed action, which can be undone. */
interface LastDone {
  readonly title: string;
  readonly done: readonly Undoable[];
}

/** Bulk actions that a panel offers for items. */
export class ItemActions extends Disposable {
  private last: LastDone | undefined;

  constructor(private readonly options: ItemActionsOptions) {
    super();
  }

  handlers(): HostHandlers<typeof actionMessages> {
    return { act: (action) => this.act(action), undoAction: () => this.undoLast() };
  }

  /** Returns the current connection's stores, because retries and undos can outlive a sign-out. */
  private readonly stores: StoresNow = () => this.options.session.stores;

  private async act({ action, selection }: RequestedAction): Promise<void> {
    const applied = this.options.session.of(selection.generation);
    const { stores } = this;
    const about = await reading(vscode.l10n.t('Counting the items'), (signal) =>
      actionTarget(applied, selection, signal),
    );
    const isRead = action === 'download';
    const { connectionId } = this.options.session;
    await requireDataRight(stores(), connectionId, about.target, isRead ? 'readData' : 'writeData');
    switch (action) {
      case 'addTags':
        return this.run(await addTags(stores, about));
      case 'removeTags':
        return this.run(await removeTags(stores, about));
      case 'proposeLabels':
        return this.options.propose(about.target);
      case 'addToDataset':
        return this.run(await addToDataset(stores, about));
      case 'removeFromDataset':
        return this.run(await removeFromDataset(stores, about));
      case 'download':
        return downloadItems({ ...this.options, stores }, about.target);
      case 'delete':
        await confirmDeletion(stores(), about);
        await this.run(await deletion(stores, about));
        // Deleted items keep their position until the listing is reloaded.
        return this.options.session.apply();
    }
  }

  /** @param earlier steps that undo the attempts before a retry */
  private async run(task: Task, earlier: UndoSteps = []): Promise<void> {
    this.options.focus();
    const { title, target, action } = task;
    const all = getItemCount(target);
    const result = await reading(title, (signal, report) =>
      runAction(this.stores().binaryData, action, target, {
        signal,
        l10n: vscode.l10n,
        onProgress: (processedCount) => report(Math.min(processedCount, all), all),
      }),
    );
    const done = joinUndoSteps(earlier, result.undo);
    const last = done !== 'discarded' && done.length > 0 ? { title, done } : undefined;
    this.remember(last);
    const { rest } = result;
    await this.options.reports.showReport(actionReport(title, result), {
      // Steps that were undone, or replaced by those of another action, must not return.
      retry: rest && (() => this.run({ ...task, target: rest }, this.last === last ? done : [])),
      undo: last && (() => this.undo(last)),
    });
  }

  private async undoLast(): Promise<void> {
    if (this.last) await this.undo(this.last);
  }

  private async undo(last: LastDone): Promise<void> {
    const { title, done } = last;
    if (this.last === last) this.remember(undefined);
    const heading = vscode.l10n.t('Undo: {0}', title);
    const all = done.reduce((sum, { ids }) => sum + ids.length, 0);
    const { undone, gone, failed, notStarted, rest } = await reading(heading, (signal, report) =>
      undoAction(done, signal, (processedCount) => report(Math.min(processedCount, all), all)),
    );
    const again = rest.length > 0 ? { title, done: rest } : undefined;
    if (again) this.remember(again);
    await this.options.reports.showReport(
      {
        title: heading,
        done: undone,
        unchanged: gone,
        failed: failed.map(({ id, error }) => ({ name: toDisplayText(id), reason: error.message })),
        skipped: [],
        notStarted: notStarted.map((id) => toDisplayText(id)),
      },
      { retry: again && (() => this.undo(again)) },
    );
  }

  private remember(last: LastDone | undefined): void {
    this.last = last;
    if (!this.isDisposed) this.options.notifyUndoable(last?.title);
  }
}

async function addTags(stores: StoresNow, about: ActionTarget): Promise<Task> {
  const { target } = about;
  const counted = await formatItemsByOrganization(stores(), target);
  const tags = await promptForTags({
    title: vscode.l10n.t('Add Tags to {0}', counted),
    placeholder: vscode.l10n.t('Select tags, or enter a new one'),
    known: knownTags(stores(), target),
    canBeNew: true,
  });
  const change = { kind: 'addTags', tags } as const;
  return confirmed(stores, about, change, counted);
}

async function removeTags(stores: StoresNow, about: ActionTarget): Promise<Task> {
  const { target } = about;
  const counted = await formatItemsByOrganization(stores(), target);
  const tags = await promptForTags({
    title: vscode.l10n.t('Remove Tags from {0}', counted),
    placeholder: vscode.l10n.t('Select the tags to remove'),
    known: presentTags(stores().binaryData, target),
    canBeNew: false,
  });
  const change = { kind: 'removeTags', tags } as const;
  return confirmed(stores, about, change, counted);
}

async function addToDataset(stores: StoresNow, about: ActionTarget): Promise<Task> {
  const { target } = about;
  const counted = await formatItemsByOrganization(stores(), target);
  const dataset = await pickDataset(stores(), target, {
    title: vscode.l10n.t('Add {0} to a Dataset', counted),
    canBeNew: true,
  });
  const change = { kind: 'addToDataset', dataset } as const;
  return confirmed(stores, about, change, counted);
}

async function removeFromDataset(stores: StoresNow, about: ActionTarget): Promise<Task> {
  const { target } = about;
  const counted = await formatItemsByOrganization(stores(), target);
  const dataset = await pickDataset(stores(), target, {
    title: vscode.l10n.t('Remove {0} from a Dataset', counted),
    canBeNew: false,
  });
  const change = { kind: 'removeFromDataset', dataset } as const;
  return confirmed(stores, about, change, counted);
}

/** Prompts for confirmation if the target is a filter. @param counted formatted number of items */
async function confirmed(
  stores: StoresNow,
  about: ActionTarget,
  change: ItemChange,
  counted: string,
): Promise<Task> {
  const title = formatItemChange(change, counted, formatList, vscode.l10n);
  await confirmWhole(about, `${title}?`, formatItemAction(change, vscode.l10n));
  return {
    title,
    target: about.target,
    action: toItemAction(change, () => stores().binaryData),
  };
}

async function deletion(stores: StoresNow, { target }: ActionTarget): Promise<Task> {
  const title = vscode.l10n.t('Delete {0}', await formatItemsByOrganization(stores(), target));
  return { title, target, action: deleteAction(() => stores().binaryData, vscode.l10n) };
}

/** Returns the tags in use in the items' organizations. */
function knownTags({ binaryData }: FleetStores, target: BulkTarget): Promise<readonly string[]> {
  return binaryData.listTags({ ...everyCapture, organizationIds: listOrganizations(target) });
}

/**
 * Checks that the key has a right on at least one of the items' machines. The service individually
 * rejects items from the other machines.
 * @throws PermissionRefusal with the users to contact.
 */
async function requireDataRight(
  stores: FleetStores,
  connectionId: ConnectionId,
  target: BulkTarget,
  right: Extract<Right, 'readData' | 'writeData'>,
): Promise<void> {
  const items = target.kind === 'items' ? target.items : await readSample(stores, target);
  const machines = listItemMachines(connectionId, items);
  const [first] = machines;
  if (!first) return;
  const granted = await stores.access.getPermissions(machines.map(toRoleScope));
  if (granted.some((here) => hasRight('machine', here, right))) return;
  await requireRight(stores, first, right);
}

async function readSample(
  { binaryData }: FleetStores,
  { filter }: Extract<BulkTarget, { kind: 'filter' }>,
): Promise<readonly BinaryItem[]> {
  const order = 'newestFirst';
  return (await binaryData.page({ filter, order, limit: MAX_CHECKED_MACHINES })).items;
}

interface DatasetChoice extends vscode.QuickPickItem {
  /** Absent for a new dataset. */
  readonly dataset?: Pick<Dataset, 'id' | 'name'>;
}

/** Prompts for a dataset of the items' organization. The user can create a new dataset. */
export async function pickDataset(
  stores: FleetStores,
  target: BulkTarget,
  { title, canBeNew }: { readonly title: string; readonly canBeNew: boolean },
): Promise<Pick<Dataset, 'id' | 'name'>> {
  const organization = requireOneOrganization(
    target,
    vscode.l10n.t(
      'These items belong to several organizations. A dataset can only contain items from one organization. Narrow the filter to a single organization.',
    ),
  );
  const listed = stores.datasets.list(organization, { fresh: true });
  const { dataset } = await pickOne(choices(listed, canBeNew), {
    title,
    placeholder: vscode.l10n.t('Select the dataset'),
  });
  if (dataset) return dataset;
  return promptForName({
    title: vscode.l10n.t('Create Dataset'),
    prompt: vscode.l10n.t('Name of the new dataset'),
    siblings: getNames(await listed),
    submit: async (name) => ({ name, id: await stores.datasets.create(organization, name) }),
  });
}

async function choices(
  listed: Promise<readonly Dataset[]>,
  canBeNew: boolean,
): Promise<readonly DatasetChoice[]> {
  const datasets = await listed;
  if (datasets.length === 0 && !canBeNew) {
    throw new FleetError(
      'notFound',
      vscode.l10n.t('This organization has no datasets. Create one first.'),
    );
  }
  const known = datasets.map((dataset) => ({ label: toQuickPickText(dataset.name), dataset }));
  return canBeNew ? [{ label: iconLabel('add', vscode.l10n.t('New Dataset…')) }, ...known] : known;
}

/** Returns the action that makes a change. @param store returns the current data store */
function toItemAction(change: ItemChange, store: () => FleetStores['binaryData']): BulkAction {
  switch (change.kind) {
    case 'addTags':
      return addTagsAction(store, change.tags);
    case 'removeTags':
      return removeTagsAction(store, change.tags);
    case 'addToDataset':
      return addToDatasetAction(store, change.dataset.id);
    case 'removeFromDataset':
      return removeFromDatasetAction(store, change.dataset.id);
  }
}
