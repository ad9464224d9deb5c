import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { Event } from '../../../base/emitter';
import type { Clock } from '../../../core/ports';
import { settings } from '../../../manifest/settings';
import { onDidChangeSetting, readSetting } from '../../platform/settingsReader';
import type { FleetTree } from './fleetTree';
import type { FleetNode } from './nodes/fleetNode';
import { StatusPoller } from './statusPoller';

/** Interval for updating relative times such as "3 minutes ago", which requires no calls. */
const REDRAW_SECONDS = 20;

/** Keeps the statuses in the tree up to date while it is visible. */
export class StatusUpdates extends Disposable {
  private readonly closed = new Set<string>();

  /**
   * @param onStale receives the time since which the statuses have been outdated; undefined if
   *   they are current.
   * @param onDidRecover fires when a service responds again.
   */
  constructor(
    private readonly tree: FleetTree,
    private readonly view: vscode.TreeView<FleetNode>,
    clock: Clock,
    onStale: (since: Date | undefined) => void,
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
          onStale(failed ? lastRead : undefined);
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
    this.register(onDidRecover(() => reader.retrySoon()));
    this.register(view.onDidChangeVisibility(update));
    this.register(vscode.window.onDidChangeWindowState(update));
    this.register(onDidChangeSetting(settings.refreshInterval, update));
    update();
  }
}
