import * as vscode from 'vscode';
import { fileNameOf } from '../../platform/documentUris';
import { showStatusMessage } from '../../platform/statusMessage';

/** Says that an edit waits for the person. @param module such as `acme:sonar 1.0.1` */
export function tellReview({ isDirty, uri }: vscode.TextDocument, module: string): void {
  const file = fileNameOf(uri);
  showStatusMessage(
    isDirty
      ? vscode.l10n.t('{0} is in {1}. Review it and save.', module, file)
      : vscode.l10n.t('{0} is in {1} already.', module, file),
  );
}
