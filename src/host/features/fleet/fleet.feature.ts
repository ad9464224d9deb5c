import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import {
  type FleetTarget,
  type LocationTarget,
  type OrganizationTarget,
  targetId,
} from '../../../core/model/resourceTarget';
import type { Clock, KeyValue } from '../../../core/ports';
import { settings, views } from '../../../manifest/contributions';
import type { Commands } from '../../platform/commands/commandRegistry';
import { NodeTreeProvider } from '../../platform/nodeTreeProvider';
import type { SessionProvider } from '../../platform/sessionProvider';
import { copyText } from '../../platform/commands/statusMessage';
import { FleetTree } from './fleetTree';
import { FleetNodeRenderer } from './nodeRenderer';
import { ErrorNode, LoadMoreNode } from './nodes/listNodes';
import { type FleetNode, getResources } from './nodes/fleetNode';
import { revealTarget } from './revealTarget';
import { TreeArranger } from './treeArranger';
import { isReadOnlyKey } from '../../../core/stores/isReadOnlyKey';
import { setContextKey } from '../../platform/commands/contextKeys';
import type { FleetContext } from './nodes/treeNode';
import { FleetError } from '../../../core/api/errors';
import { onDidChangeSetting, readSetting } from '../../platform/settingsReader';
import { StatusPoller } from './statusPoller';

/** Fleet view in the side bar. */
export class FleetFeature extends Disposable {
  private readonly tree: FleetTree;
  private readonly view: vscode.TreeView<FleetNode>;
  private readonly arranger: TreeArranger;

  constructor(
    private readonly commands: Commands,
    private readonly sessions: SessionProvider,
    clock: Clock,
    storage: KeyValue,
  ) {
    super();
    this.tree = this.register(new FleetTree(sessions, clock));
    const provider = new NodeTreeProvider(this.tree, new FleetNodeRenderer(clock));
    this.view = this.register(
      vscode.window.createTreeView(views.fleet, {
        treeDataProvider: provider,
        dragAndDropController: new LocationDrag(commands),
        showCollapseAll: true,
        canSelectMany: true,
      }),
    );
    this.arranger = this.register(new TreeArranger(commands, this.tree, this.view, storage));
    this.register(new ReadOnlyKey(this.tree, sessions));
    const { notifyStale: onStale } = this.arranger;
    this.register(new StatusUpdates(this.tree, this.view, clock, onStale, sessions));
    this.registerCommands();
  }

  /** Returns the selected resources. Ignores nodes that don't represent a resource. */
  readonly selection = (): readonly FleetTarget[] => getResources(this.view.selection);

  private registerCommands(): void {
    const { commands, tree } = this;
    this.register(commands.register('fleetwright.fleet.refresh', () => tree.refreshAll()));
    this.register(
      commands.register('fleetwright.fleet.loadMore', (node) => {
        if (node instanceof LoadMoreNode) tree.loadMore(node);
      }),
    );
    this.register(
      commands.register('fleetwright.fleet.retry', async (node) => {
        if (node instanceof ErrorNode) await this.resolveError(node);
      }),
    );
    this.register(
      commands.register('fleetwright.fleet.renameSelected', () =>
        renameSelected(commands, this.selection()),
      ),
    );
    this.register(
      commands.register('fleetwright.resource.reveal', (target) => this.reveal(target)),
    );
    this.register(
      commands.register('fleetwright.resource.copyId', (target) => copyText(targetId(target))),
    );
    this.register(
      commands.register('fleetwright.resource.copyName', (target) => copyText(target.name)),
    );
  }

  /** Performs an error node's recovery action. */
  private async resolveError(node: ErrorNode): Promise<void> {
    switch (node.error.action) {
      case 'signIn':
        return this.commands.execute('fleetwright.connection.signIn');
      case 'startLocalFleet':
        return this.commands.execute('fleetwright.localFleet.start');
      default:
        this.tree.retry(node);
    }
  }

  /** Selects a resource of the active connection in the tree. */
  reveal(target: FleetTarget, { focus = true } = {}): Promise<void> {
    const { tree, arranger, sessions } = this;
    const select = (node: FleetNode): Thenable<void> =>
      this.view.reveal(node, { select: true, focus, expand: true });
    return revealTarget({ tree, arranger, sessions, select }, target);
  }
}

/**
 * Sets a context key for `when` clauses that is true if the active API key can't edit anything in
 * the fleet.
 */
class ReadOnlyKey extends Disposable {
  private latest: FleetContext | undefined;

  constructor(tree: FleetTree, sessions: SessionProvider) {
    super();
    this.register(tree.onDidReadOrganizations((context) => void this.update(context)));
    this.register(
      sessions.onDidChangeActive(() => {
        this.latest = undefined;
        setContextKey('fleetwright.readOnlyKey', false);
      }),
    );
  }

  private async update(context: FleetContext): Promise<void> {
    this.latest = context;
    const value = await isReadOnlyKey(context.stores, context.connection.keyId);
    if (this.latest === context && !this.isDisposed) {
      setContextKey('fleetwright.readOnlyKey', value);
    }
  }
}

/**
 * Renames the resource selected in the tree, using the command for its kind. Throws `invalid` for
 * nodes that can't be renamed.
 */
async function renameSelected(commands: Commands, selected: readonly FleetTarget[]): Promise<void> {
  const target = selected.length === 1 ? selected[0] : undefined;
  switch (target?.kind) {
    case 'organization':
      return commands.execute('fleetwright.organization.rename', target);
    case 'location':
      return commands.execute('fleetwright.location.rename', target);
    case 'machine':
      return commands.execute('fleetwright.machine.rename', target);
    case 'part':
      return commands.execute('fleetwright.part.rename', target);
    case 'fragment':
      return commands.execute('fleetwright.fragment.rename', target);
    case 'dataset':
      return commands.execute('fleetwright.dataset.rename', target);
    default:
      throw new FleetError(
        'invalid',
        vscode.l10n.t(
          'Select an organization, location, machine, part, fragment, or dataset to rename.',
        ),
      );
  }
}

/** VS Code's own MIME type for drags within one tree. */
const MIME = `application/vnd.code.tree.${views.fleet.toLowerCase()}`;

/**
 * Drag and drop of locations onto other locations or onto their organization. If a location can't
 * be moved, the move command reports the reason.
 */
class LocationDrag implements vscode.TreeDragAndDropController<FleetNode> {
  readonly dragMimeTypes = [MIME];
  readonly dropMimeTypes = [MIME];

  constructor(private readonly commands: Commands) {}

  handleDrag(nodes: readonly FleetNode[], transfer: vscode.DataTransfer): void {
    transfer.set(MIME, new vscode.DataTransferItem(getResources(nodes)));
  }

  async handleDrop(node: FleetNode | undefined, transfer: vscode.DataTransfer): Promise<void> {
    const dragged = transfer.get(MIME)?.value as readonly FleetTarget[] | string | undefined;
    // A drag from another window provides only text that contains nodes unknown to this window.
    if (!Array.isArray(dragged) || dragged.length === 0) return;
    const targets = dragged as readonly FleetTarget[];
    await this.commands.execute('fleetwright.location.moveInto', targets, getDestination(node));
  }
}

function getDestination(
  node: FleetNode | undefined,
): OrganizationTarget | LocationTarget | undefined {
  return node?.kind === 'organization' || node?.kind === 'location' ? node.target : undefined;
}

/**
 * Interval in seconds for updating relative times such as "3 minutes ago". Updating them requires
 * no calls.
 */
const REDRAW_SECONDS = 20;

/** Keeps the statuses in the tree up to date while it is visible. */
class StatusUpdates extends Disposable {
  private readonly closed = new Set<string>();

  /**
   * @param onStale receives the time since which the statuses have been outdated; undefined if
   *   they are current.
   */
  constructor(
    private readonly tree: FleetTree,
    private readonly view: vscode.TreeView<FleetNode>,
    clock: Clock,
    onStale: (since: Date | undefined) => void,
    sessions: Pick<SessionProvider, 'active' | 'onDidChangeActive' | 'onDidRecover'>,
  ) {
    super();
    let lastRead = clock.now();
    const isOpen = ({ id }: FleetNode): boolean => !this.closed.has(id);
    this.register(view.onDidCollapseElement(({ element }) => this.closed.add(element.id)));
    this.register(view.onDidExpandElement(({ element }) => this.closed.delete(element.id)));
    const reader = this.register(
      new StatusPoller(
        () => tree.pollStatus(isOpen),
        clock,
        (failed) => {
          if (!failed) lastRead = clock.now();
          // A sign-out interrupts a read and leaves no statuses.
          onStale(failed && sessions.active ? lastRead : undefined);
        },
      ),
    );
    const redraw = (): Promise<void> => {
      tree.redrawOutdated(isOpen);
      return Promise.resolve();
    };
    const painter = this.register(new StatusPoller(redraw, clock));
    const update = (): void => {
      const isSeen = view.visible && vscode.window.state.focused;
      reader.update(isSeen ? readSetting(settings.refreshInterval) : 0);
      painter.update(view.visible ? REDRAW_SECONDS : 0);
    };
    this.register(sessions.onDidRecover(() => reader.retrySoon()));
    this.register(
      sessions.onDidChangeActive(() => {
        lastRead = clock.now();
        onStale(undefined);
      }),
    );
    this.register(view.onDidChangeVisibility(update));
    this.register(vscode.window.onDidChangeWindowState(update));
    this.register(onDidChangeSetting(settings.refreshInterval, update));
    update();
  }
}
