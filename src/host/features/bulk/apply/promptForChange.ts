import * as vscode from 'vscode';
import type { ConfigChange } from '../../../../core/bulk/configChange';
import { findJsonProblems } from '../../../../core/documents/jsonProblems';
import { displayName } from '../../../../core/model/toDisplayText';
import type { FragmentTarget } from '../../../../core/model/resourceTarget';
import { promptForFragmentUse } from '../../../platform/promptForFragmentUse';
import { pickOne } from '../../../platform/prompts';
import { toQuickPickText } from '../../../platform/toQuickPickText';
import type { BulkTools } from '../bulkTools';
import type { PatchEditors } from './patchEditors';

interface ChangeItem extends vscode.QuickPickItem {
  readonly prompt: () => Promise<ConfigChange>;
}

/** Prompts for the change to make to the configs. Throws `canceled`. */
export async function promptForChange(
  tools: BulkTools,
  patches: PatchEditors,
  fragment: FragmentTarget | undefined,
): Promise<ConfigChange> {
  if (fragment) return addedFragment(tools, fragment);
  const items: readonly ChangeItem[] = [
    {
      label: vscode.l10n.t('$(layers) Add Fragment…'),
      detail: vscode.l10n.t('Adds a fragment to each config, with a prefix and variables'),
      prompt: async () => addedFragment(tools, await tools.pickTarget('fragment')),
    },
    {
      label: vscode.l10n.t('$(edit) Write a JSON Merge Patch…'),
      detail: vscode.l10n.t('Keys to set, and null for keys to remove (RFC 7396)'),
      prompt: async () => mergePatch(await patches.promptForPatch()),
    },
    ...patchInFront(),
  ];
  const chosen = await pickOne(items, {
    title: vscode.l10n.t('Apply Fragment or Patch to Machines'),
    placeholder: vscode.l10n.t('Select the change to apply to the machine configs'),
  });
  return chosen.prompt();
}

async function addedFragment(
  { sessions }: BulkTools,
  { connectionId, fragmentId }: FragmentTarget,
): Promise<ConfigChange> {
  const fragment = await sessions.stores(connectionId).fragments.get(fragmentId);
  const use = await promptForFragmentUse(fragment, undefined);
  return { kind: 'addFragment', fragmentName: displayName(fragment), use };
}

/**
 * Returns items for using the selection or the whole document in the active editor as a patch, if
 * they are valid.
 */
function patchInFront(): readonly ChangeItem[] {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return [];
  const { document, selection } = editor;
  const name = toQuickPickText(vscode.workspace.asRelativePath(document.uri));
  const selected = document.getText(selection);
  return [
    ...item(vscode.l10n.t('$(selection) Merge Patch from the Selection'), name, selected),
    ...item(vscode.l10n.t('$(json) Merge Patch from the Open Document'), name, document.getText()),
  ];
}

function item(label: string, description: string, text: string): readonly ChangeItem[] {
  if (text.trim() === '' || findJsonProblems(text, 'text').length > 0) return [];
  return [{ label, description, prompt: () => Promise.resolve(mergePatch(text)) }];
}

function mergePatch(patch: string): ConfigChange {
  return { kind: 'mergePatch', patch };
}
