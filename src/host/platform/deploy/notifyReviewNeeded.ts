import * as vscode from 'vscode';
import { getFileName } from '../documents/documentUris';
import { showStatusMessage } from '../commands/statusMessage';
import { FleetError } from '../../../core/api/errors';
import { toDisplayText } from '../../../core/model/displayText';
import { isDeployed } from '../../../core/modules/deploy/deployedResources';

/**
 * Reports that an edit must be reviewed and saved, and offers to do either. Doesn't wait for the
 * user's response.
 * @param module name such as `acme:sonar 1.0.1`
 * @param wasOpen true if the config didn't pin a version before, so the machine will no longer
 *   follow newer versions
 */
export function notifyReviewNeeded(
  { isDirty, uri }: vscode.TextDocument,
  module: string,
  { wasOpen }: { readonly wasOpen: boolean },
): void {
  const file = getFileName(uri);
  if (!isDirty) {
    showStatusMessage(vscode.l10n.t('{0} is already in {1}.', module, file));
    return;
  }
  const message = wasOpen
    ? vscode.l10n.t(
        '{0} was already in {1} without a pinned version. The file has unsaved changes.',
        module,
        file,
      )
    : vscode.l10n.t('{0} is in {1}, which has unsaved changes.', module, file);
  void offerReview(uri, message).catch(() =>
    vscode.window.showErrorMessage(
      vscode.l10n.t("Couldn't open {0}. Sign in again, then deploy the module again.", file),
    ),
  );
}

async function offerReview(uri: vscode.Uri, message: string): Promise<void> {
  const show = vscode.l10n.t('Show Changes');
  const save = vscode.l10n.t('Save');
  const answer = await vscode.window.showInformationMessage(message, show, save);
  if (answer === undefined) return;
  const document = await vscode.workspace.openTextDocument(uri);
  if (answer === save) {
    await document.save();
    return;
  }
  await vscode.window.showTextDocument(document, { preview: false });
  await vscode.commands.executeCommand('workbench.files.action.compareWithSaved');
}

/**
 * Checks the config stored by the service if the config in the editor shows that no change is
 * needed.
 * @param name the part's name
 * @throws FleetError `conflict` if the editor is stale
 */
export async function requireDeployed(
  name: string,
  ...[read, deploy]: Parameters<typeof isDeployed>
): Promise<void> {
  if (await isDeployed(read, deploy)) return;
  throw new FleetError(
    'conflict',
    vscode.l10n.t(
      'Another user changed the config of "{0}", and the editor shows an older version. Run the command Revert File, and then deploy again.',
      toDisplayText(name),
    ),
  );
}
