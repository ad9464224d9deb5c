import * as vscode from 'vscode';
import { inSlices } from '../../../base/slices';
import { FleetError } from '../../../core/api/errors';
import { type ConfigNode, literalString } from '../../../core/configChecks/configDiagnostic';
import { type FleetReference, fleetReferencesIn } from '../../../core/configChecks/fleetReferences';
import { parseEditedConfigInSteps } from '../../../core/documents/resolvedText';
import type { VersionChange } from '../../../manifest/commandArguments';
import { toRange } from '../../platform/documents/toRange';

/**
 * Changes the version of an entry in a config's text, without saving it. The text can have changed
 * since the change was offered, and it can be incomplete.
 * @throws FleetError `conflict` if the entry isn't in the text anymore.
 */
export async function updateVersion(change: VersionChange): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(change.document));
  const { version } = document;
  const { tree } = await inSlices(parseEditedConfigInSteps(document.getText()));
  const root = tree && { node: tree, path: [] };
  const node = findEntry(root, change)?.version?.node;
  if (node && document.version === version) {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, toRange(document, node), JSON.stringify(change.version));
    if (await vscode.workspace.applyEdit(edit)) return;
  }
  throw new FleetError(
    'conflict',
    vscode.l10n.t(
      "The version of {0} wasn't changed, because its entry was edited or moved in the meantime. Check the config and try again.",
      change.id,
    ),
  );
}

/**
 * Returns the entry that a change refers to: the one at its path, or the only other entry with the
 * same ID and version.
 */
function findEntry(
  root: ConfigNode | undefined,
  change: VersionChange,
): FleetReference | undefined {
  const equal = (root ? fleetReferencesIn(root) : []).filter(
    ({ kind, id, version }) =>
      kind === change.kind && id === change.id && literalString(version) === change.from,
  );
  const path = change.entry.join('/');
  return (
    equal.find(({ entry }) => entry.path.join('/') === path) ??
    (equal.length === 1 ? equal[0] : undefined)
  );
}
