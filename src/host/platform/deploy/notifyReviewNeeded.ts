import * as vscode from 'vscode';
import { getFileName } from '../documentUris';
import { showStatusMessage } from '../statusMessage';

/**
 * Reports that an edit must be reviewed and saved, and offers both actions. Doesn't wait for the
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
