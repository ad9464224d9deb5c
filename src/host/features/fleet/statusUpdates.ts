import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { Event } from '../../../base/emitter';
import type { Clock } from '../../../core/ports';
import { settings } from '../../../manifest/settings';
import { onDidChangeSetting, readSetting } from '../../platform/settingsReader';
import type { FleetTree } from './fleetTree';
import type { FleetNode } from './nodes/fleetNode';
import { StatusPoller } from './statusPoller';

/** How often "3 minutes ago" is looked at; no service is asked for it. */
const REDRAW_SECONDS = 20;

/** Keeps the statuses in the tree true while somebody can see them. */
export class StatusUpdates extends Disposable {
  private readonly closed = new Set<string>();

  /**
   * @param tellStale says since when the statuses are not read any more; undefined when they are.
   * @param onDidRecover fires when a service answers again.
   */
  constructor(
    private readonly tree: FleetTree,
    private readonly view: vscode.TreeView<FleetNode>,
    clock: Clock,
    tellStale: (since: Date | undefined) => void,
    onDidRecover: Event<unknown>,
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
          tellStale(failed ? lastRead : undefined);
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
    this.register(onDidRecover(() => reader.hasten()));
    this.register(view.onDidChangeVisibility(update));
    this.register(vscode.window.onDidChangeWindowState(update));
    this.register(onDidChangeSetting(settings.refreshInterval, update));
    update();
  }
}
