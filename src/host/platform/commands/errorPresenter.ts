import * as vscode from 'vscode';
import {
  type FleetError,
  type FleetErrorAction,
  isCanceled,
  toFleetError,
} from '../../../core/api/errors';
import { ReadOnlyConnectionError } from '../../../core/api/readOnly';
import type { ConnectionId } from '../../../core/model/ids';
import { toDisplayText, withoutLinks } from '../../../core/model/displayText';
import type { Logger } from '../../../core/ports';
import type { CommandId, PlainCommandId } from '../../../manifest/commands';
import { settings } from '../../../manifest/contributions';
import { PermissionDeniedError } from '../permissions/requireRight';

/** Maximum number of characters that fit on the single line in a notification without buttons. */
const MAX_LINE_LENGTH = 60;

type RunCommand = (id: PlainCommandId) => void;

/**
 * Presents errors from commands as messages, with recovery actions as buttons. Ignores
 * cancellation. Logs bugs in this extension with their stack traces.
 */
export class ErrorPresenter {
  constructor(
    private readonly logger: Logger,
    private readonly runCommand: RunCommand,
  ) {}

  readonly present = (thrown: unknown, retry?: () => void): void => {
    if (isCanceled(thrown)) return;
    const error = toFleetError(thrown);
    if (error.kind === 'internal') this.logger.error(error.message, { stack: formatStack(error) });
    if (error instanceof PermissionDeniedError) {
      void explainable(error);
      return;
    }
    void this.show(error, retry);
  };

  private async show(error: FleetError, retry: (() => void) | undefined): Promise<void> {
    const message = withoutLinks(error.message);
    const action = error.action === 'retry' && !retry ? undefined : error.action;
    const label = action && actionLabel(action);
    const details = formatErrorDetails(error);
    const showDetails = details === undefined ? undefined : vscode.l10n.t('Details');
    const buttons = [label, showDetails].filter((button) => button !== undefined);
    // VS Code shows the full text of a long message only if it has a button.
    if (buttons.length === 0 && message.length > MAX_LINE_LENGTH) {
      buttons.push(vscode.l10n.t('Close'));
    }
    const chosen = await vscode.window.showErrorMessage(message, ...buttons);
    if (chosen === undefined) return;
    if (chosen === showDetails) {
      void vscode.window.showErrorMessage(message, { modal: true, detail: details ?? '' });
    } else if (chosen === label) {
      if (action === 'retry') retry?.();
      else if (error instanceof ReadOnlyConnectionError) allowChanges(error.connectionId);
      else if (action) this.act(action);
    }
  }

  /** Runs an error's recovery action. Ignores unknown actions and `retry`. */
  readonly act = (action: string): void => {
    switch (action) {
      case 'signIn':
        this.runCommand('fleetwright.connection.signIn');
        return;
      case 'startLocalFleet':
        this.runCommand('fleetwright.localFleet.start');
        return;
      case 'allowChanges':
        allowChanges(undefined);
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

/** @param connection undefined for the active connection. */
function allowChanges(connection: ConnectionId | undefined): void {
  const command: CommandId = 'fleetwright.connection.allowChanges';
  void vscode.commands.executeCommand(command, connection);
}

/** VS Code shows the full text of a long message only if it has a button. */
async function explainable({ message, target }: PermissionDeniedError): Promise<void> {
  const explain = vscode.l10n.t('Explain Permissions');
  if ((await vscode.window.showErrorMessage(withoutLinks(message), explain)) !== explain) return;
  const command: CommandId = 'fleetwright.resource.explainPermissions';
  await vscode.commands.executeCommand(command, target);
}

/** Returns the button label for an action. */
export function actionLabel(action: FleetErrorAction): string {
  switch (action) {
    case 'retry':
      return vscode.l10n.t('Retry');
    case 'signIn':
      return vscode.l10n.t('Sign In');
    case 'startLocalFleet':
      return vscode.l10n.t('Start Local Fleet');
    case 'showLog':
      return vscode.l10n.t('View Log');
    case 'trustAuthority':
      return vscode.l10n.t('Open Settings');
    case 'manageTrust':
      return vscode.l10n.t('Manage Workspace Trust');
    case 'allowChanges':
      return vscode.l10n.t('Allow Changes');
  }
}

function formatStack(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack ?? ''}` : '';
  return `${error.stack ?? ''}${cause}`;
}

/** Maximum number of characters in a message from the service. */
const MAX_LENGTH = 2_000;

/**
 * Returns information for reporting a failed call: the service's own message and the request ID in
 * its log. Returns undefined if the error has neither.
 */
export function formatErrorDetails({ serviceMessage, requestId }: FleetError): string | undefined {
  const lines: string[] = [];
  if (serviceMessage !== undefined) {
    const text = toDisplayText(serviceMessage, MAX_LENGTH);
    lines.push(vscode.l10n.t('The service responded: {0}', text));
  }
  if (requestId !== undefined) lines.push(vscode.l10n.t('Request ID: {0}', requestId));
  return lines.length === 0 ? undefined : lines.join('\n');
}
