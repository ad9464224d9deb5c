import * as vscode from 'vscode';
import { findTextEdit } from '../../../core/documents/textEdit';
import type { RegistryItem } from '../../../core/model/registryItem';
import {
  createDeployment,
  deployModule,
  findNewestRelease,
} from '../../../core/modules/deploy/moduleUse';
import type { FindChecked } from './configLanguage';
import type { FleetCatalogs } from './fleetCatalogs';
import { toRange } from '../../platform/documents/toRange';

/**
 * Quick fixes for models that no module in a config provides: adds the newest version of a registry
 * module that provides the model.
 */
export class DeployFixes implements vscode.CodeActionProvider {
  constructor(
    private readonly catalogs: FleetCatalogs,
    private readonly findChecked: FindChecked,
  ) {}

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeAction[]> {
    const checked = this.findChecked(document);
    const fleet = this.catalogs.find(document);
    if (!fleet || checked?.version !== document.version) return [];
    const text = document.getText();
    const actions: vscode.CodeAction[] = [];
    for (const { code, offset, length } of checked.diagnostics) {
      if (code !== 'modelWithoutModule') continue;
      const marked = toRange(document, { offset, length });
      if (!marked.intersection(range)) continue;
      const model: unknown = JSON.parse(text.slice(offset, offset + length));
      if (typeof model !== 'string') continue;
      const modules = await fleet.catalog.providersOf(model);
      if (token.isCancellationRequested) return [];
      for (const module of modules) {
        const action = createFix(document, module);
        if (!action) continue;
        action.isPreferred = modules.length === 1;
        action.diagnostics = diagnostics.filter(
          (one) => one.code === code && one.range.isEqual(marked),
        );
        actions.push(action);
      }
    }
    return actions;
  }
}

function createFix(
  document: vscode.TextDocument,
  module: RegistryItem,
): vscode.CodeAction | undefined {
  const version = findNewestRelease(module);
  if (version === undefined) return undefined;
  const text = document.getText();
  const change = findTextEdit(text, deployModule(text, createDeployment(module, version)));
  if (!change) return undefined;
  const title = vscode.l10n.t('Deploy Module {0} {1}', module.id, version);
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  const range = toRange(document, { offset: change.start, length: change.end - change.start });
  action.edit.replace(document.uri, range, change.text);
  return action;
}
