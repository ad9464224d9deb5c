import { parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { literalString } from '../../../core/configChecks/configDiagnostic';
import { type FleetReference, fleetReferencesIn } from '../../../core/configChecks/fleetReferences';
import type { VersionChange } from '../../../manifest/commandArguments';
import { toRange } from './toRange';

/**
 * Changes the version of an entry in a config's text, without saving it. The text can have changed
 * since the change was offered, and it can be incomplete.
 * @throws FleetError `conflict` if the entry isn't in the text anymore.
 */
export async function updateVersion(change: VersionChange): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(change.document));
  const node = findEntry(document.getText(), change)?.version?.node;
  if (node) {
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

/** Returns the entry of a change: at its path, or at another one if only that one is equal to it. */
function findEntry(text: string, change: VersionChange): FleetReference | undefined {
  const root = parseTree(text);
  const equal = (root ? fleetReferencesIn({ node: root, path: [] }) : []).filter(
    ({ kind, id, version }) =>
      kind === change.kind && id === change.id && literalString(version) === change.from,
  );
  const path = change.entry.join('/');
  return (
    equal.find(({ entry }) => entry.path.join('/') === path) ??
    (equal.length === 1 ? equal[0] : undefined)
  );
}
