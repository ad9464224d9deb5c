import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { toDisplayText } from '../../../core/model/toDisplayText';
import { type FleetTarget, targetId } from '../../../core/model/resourceTarget';
import type { Clock, KeyValue } from '../../../core/ports';
import { views } from '../../../manifest/views';
import type { Commands } from '../../platform/commandRegistry';
import { NodeTreeProvider } from '../../platform/nodeTreeProvider';
import type { SessionProvider } from '../../platform/sessionProvider';
import { copyText } from '../../platform/statusMessage';
import { FleetTree } from './fleetTree';
import { LocationDrag } from './locationDrag';
import { FleetNodeRenderer } from './nodeRenderer';
import { ErrorNode } from './nodes/errorNode';
import type { FleetNode } from './nodes/fleetNode';
import { LoadMoreNode } from './nodes/loadMoreNode';
import { ReadOnlyKey } from './readOnlyKey';
import { renameSelected } from './renameSelected';
import { StatusUpdates } from './statusUpdates';
import { TreeArranger } from './treeArranger';

/** Fleet view in the side bar. */
export class FleetFeature extends Disposable {
  private readonly tree: FleetTree;
  private readonly view: vscode.TreeView<FleetNode>;
  private readonly arranger: TreeArranger;

  constructor(
    private readonly commands: Commands,
    sessions: SessionProvider,
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
    this.register(new StatusUpdates(this.tree, this.view, clock, onStale, sessions.onDidRecover));
    this.registerCommands();
  }

  /** Returns the selected resources. Ignores nodes that don't represent a resource. */
  readonly selection = (): readonly FleetTarget[] =>
    this.view.selection.flatMap((node) =>
      'target' in node && node.target?.kind === node.kind ? [node.target] : [],
    );

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

  /** Performs the recovery action of an error node. */
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

  /**
   * Reveals a resource in the tree. Clears a filter that hides the resource, and groups by location
   * if the current grouping doesn't contain the resource.
   */
  async reveal(target: FleetTarget, { focus = true } = {}): Promise<void> {
    const { tree, arranger } = this;
    let node = await tree.find(target);
    if (!node && arranger.clearFilter()) node = await tree.find(target);
    if (!node && arranger.clearRegistryFilter()) node = await tree.find(target);
    if (!node && arranger.makePlain()) node = await tree.find(target);
    if (node) await this.view.reveal(node, { select: true, focus, expand: true });
    else await vscode.window.showInformationMessage(describeMissing(target.name));
  }
}

function describeMissing(name: string): string {
  return vscode.l10n.t('"{0}" no longer exists.', toDisplayText(name));
}
