import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { FleetError, toFleetError } from '../../../../core/api/errors';
import { showStatusMessage } from '../../../platform/statusMessage';

/** First bytes of every PNG file. */
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Saves the image of a chart to a file that the user selects.
 * @throws FleetError
 */
export async function saveChart(png: ArrayBuffer): Promise<void> {
  const bytes = new Uint8Array(png);
  if (!PNG_SIGNATURE.every((byte, at) => bytes[at] === byte)) {
    throw new FleetError('invalid', vscode.l10n.t('There is no chart image to save.'));
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Chart'),
    filters: { PNG: ['png'] },
    defaultUri: vscode.Uri.joinPath(folder, 'chart.png'),
  });
  if (!target) return;
  try {
    await vscode.workspace.fs.writeFile(target, bytes);
  } catch (cause) {
    const { kind, message } = toFleetError(cause);
    const text = vscode.l10n.t("Couldn't write the chart. {0}", message);
    throw new FleetError(kind, text, { cause });
  }
  showStatusMessage(vscode.l10n.t('Chart saved'));
}
