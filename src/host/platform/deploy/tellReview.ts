import * as vscode from 'vscode';
import { fileNameOf } from '../documentUris';
import { showStatusMessage } from '../statusMessage';

/**
 * Says that an edit waits for the person.
 * @param module such as `acme:sonar 1.0.1`
 * @param wasOpen whether the version was left open before, so that the machine follows no newer one now
 */
export function tellReview(
  { isDirty, uri }: vscode.TextDocument,
  module: string,
  { wasOpen }: { readonly wasOpen: boolean },
): void {
  const file = fileNameOf(uri);
  if (!isDirty) {
    showStatusMessage(vscode.l10n.t('{0} is in {1} already.', module, file));
    return;
  }
  showStatusMessage(
    wasOpen
      ? vscode.l10n.t(
          '{0} is in {1}, which left the version open before. Review it and save.',
          module,
          file,
        )
      : vscode.l10n.t('{0} is in {1}. Review it and save.', module, file),
  );
}
