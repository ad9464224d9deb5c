import * as vscode from 'vscode';
import { type FleetErrorAction, isCanceled, toFleetError } from '../../core/api/errors';
import { withoutLinks } from '../../core/model/displayText';
import type { Logger } from '../../core/ports';
import type { CommandId, PlainCommandId } from '../../manifest/commands';
import { settings } from '../../manifest/settings';
import { PermissionRefusal } from './permissionRefusal';

/** Characters of a message that fit on the one line which a toast without buttons has. */
const LONGEST_LINE = 60;

type RunCommand = (id: PlainCommandId) => void;

/**
 * Shows failures of commands: the message, with what can be done about it as buttons. Cancellation
 * is not a failure. Faults of this product are logged with their origin.
 */
export class ErrorPresenter {
  constructor(
    private readonly logger: Logger,
    private readonly runCommand: RunCommand,
  ) {}

  readonly present = (thrown: unknown, retry?: () => void): void => {
    if (isCanceled(thrown)) return;
    const error = toFleetError(thrown);
    if (error.kind === 'internal') this.logger.error(error.message, { stack: stackOf(error) });
    if (error instanceof PermissionRefusal) {
      void explainable(error);
      return;
    }
    const actions: FleetErrorAction[] = error.action ? [error.action] : [];
    void this.show(withoutLinks(error.message), actions, retry);
  };

  private async show(
    message: string,
    actions: readonly FleetErrorAction[],
    retry: (() => void) | undefined,
  ): Promise<void> {
    const usable = actions.filter((action) => action !== 'retry' || retry !== undefined);
    const labels = new Map(usable.map((action) => [actionLabel(action), action]));
    // VS Code shows the whole of a long message only when it has a button.
    const needsButton = labels.size === 0 && message.length > LONGEST_LINE;
    const close = needsButton ? [vscode.l10n.t('Close')] : [];
    const chosen = await vscode.window.showErrorMessage(message, ...labels.keys(), ...close);
    const action = chosen === undefined ? undefined : labels.get(chosen);
    if (action === 'retry') retry?.();
    else if (action) this.act(action);
  }

  /** Does what an error offers. Says nothing about what it does not know, and does not try again itself. */
  readonly act = (action: string): void => {
    switch (action) {
      case 'signIn':
        this.runCommand('fleetwright.connection.signIn');
        return;
      case 'startLocalFleet':
        this.runCommand('fleetwright.localFleet.start');
        return;
      case 'showLog':
        this.runCommand('fleetwright.log.show');
        return;
      case 'trustAuthority':
        void vscode.commands.executeCommand(
          'workbench.action.openSettings',
          settings.certificateAuthorities.key,
        );
        return;
      case 'manageTrust':
        void vscode.commands.executeCommand('workbench.trust.manage');
    }
  };
}

/** VS Code shows the whole of a long message only when it has a button. */
async function explainable({ message, target }: PermissionRefusal): Promise<void> {
  const explain = vscode.l10n.t('Explain…');
  if ((await vscode.window.showErrorMessage(withoutLinks(message), explain)) !== explain) return;
  const command: CommandId = 'fleetwright.resource.explainPermissions';
  await vscode.commands.executeCommand(command, target);
}

/** The words on the button of an action. */
export function actionLabel(action: FleetErrorAction): string {
  switch (action) {
    case 'retry':
      return vscode.l10n.t('Retry');
    case 'signIn':
      return vscode.l10n.t('Sign In');
    case 'startLocalFleet':
      return vscode.l10n.t('Start Local Fleet');
    case 'showLog':
      return vscode.l10n.t('Show Log');
    case 'trustAuthority':
      return vscode.l10n.t('Open Settings');
    case 'manageTrust':
      return vscode.l10n.t('Manage Workspace Trust');
  }
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack ?? ''}` : '';
  return `${error.stack ?? ''}${cause}`;
}
