import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { Connection } from '../../../core/model/connection';
import { schemes } from '../../../manifest/contributions';
import { completeSteps } from '../../platform/commands/contextKeys';
import type { Introduce } from '../../platform/featureInterfaces';
import type { WelcomeOptions } from './showFirstFleet';

const SHOWN_KEY = 'walkthroughShown';

/** Introduces the extension when a user connects to a fleet for the first time. */
export class WelcomeFeature extends Disposable {
  constructor(private readonly options: WelcomeOptions) {
    super();
    this.register(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme === schemes.document) completeSteps('fleetwright.configSaved');
      }),
    );
  }

  /**
   * Waits for a new connection. If it is the first connection, shows one of its machines in the
   * Fleet view, and the walkthrough next to the view. Doesn't take focus if the user has started
   * working in the meantime.
   * @param connect returns undefined if it didn't create a new connection
   */
  readonly introduce: Introduce = async (connect) => {
    if (this.options.storage.get(SHOWN_KEY) === true || !opensWalkthroughs()) return connect();
    const activity = watchActivity();
    const connection = await connect().finally(() => activity.stop());
    if (connection) await this.show(connection, { focus: !activity.isBusy() });
    return connection;
  };

  /**
   * Logs errors instead of throwing them, because the connection itself was successful. The next
   * connection tries again.
   */
  private async show(connection: Connection, options: { readonly focus: boolean }): Promise<void> {
    const { storage, logger } = this.options;
    try {
      const { showFirstFleet } = await import('./showFirstFleet');
      await showFirstFleet(this.options, connection, options);
      await storage.update(SHOWN_KEY, true);
    } catch (error) {
      logger.warn("The walkthrough can't be shown", { reason: String(error) });
    }
  }
}

/** Returns false for users who have disabled the walkthroughs of new extensions. */
function opensWalkthroughs(): boolean {
  const section = vscode.workspace.getConfiguration('workbench.welcomePage.walkthroughs');
  return section.get('openOnInstall', true);
}

interface Activity {
  /** Returns true if the user has opened or edited something since the tracking started. */
  readonly isBusy: () => boolean;
  readonly stop: () => void;
}

function watchActivity(): Activity {
  const tab = activeTabLabel();
  let hasTyped = false;
  const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
  const typing = vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
    hasTyped ||= kind === Keyboard || kind === Mouse;
  });
  return {
    isBusy: () => hasTyped || activeTabLabel() !== tab,
    stop: () => void typing.dispose(),
  };
}

/**
 * Returns the label of the active tab; undefined for pages that open automatically, such as VS
 * Code's Welcome page.
 */
function activeTabLabel(): string | undefined {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return activeTab?.input === undefined ? undefined : activeTab.label;
}
