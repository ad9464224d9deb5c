import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import type { TextEdit } from '../../../../core/documents/textEdit';
import { toDisplayText } from '../../../../core/model/displayText';
import {
  addModel,
  findModelConflict,
  findModelFamily,
  findModuleLanguage,
  getMainFile,
  type ModelAddition,
  type ModelFamily,
} from '../../../../core/modules/generate/addModel';
import { moduleNameProblem } from '../../../../core/modules/moduleNames';
import { MODULE_APIS, type ModuleLanguage } from '../../../../core/modules/generate/moduleApi';
import {
  describeModel,
  getModelSource,
  type ModuleChoices,
} from '../../../../core/modules/generate/moduleFiles';
import { applyEdit } from '../../../platform/documents/replaceText';
import {
  getModuleFolder,
  type ManifestFile,
  resolveManifest,
} from '../../../platform/modules/moduleManifests';
import { toModuleNameProblem } from '../../../platform/text/nameProblems';
import { inputError, type InputProblem, promptForText } from '../../../platform/prompts/prompts';
import { promptForApi, readTemplates } from './pickKind';

/** Folders with a generated module's files. */
const FOLDERS = ['src', 'test', 'proto'];

/**
 * Adds a model to a generated module: its code, test, registration, and manifest entry, in one
 * edit. Then shows the code. Throws `canceled`, and `invalid` if the module wasn't generated.
 *
 * @param target the manifest's URI; if absent, the manifest is found in the workspace
 */
export async function addModelToModule(
  extensionUri: vscode.Uri,
  target: object | undefined,
): Promise<void> {
  const title = vscode.l10n.t('Add Model to Module');
  const file = await resolveManifest(target, title);
  const folder = getModuleFolder(file.uri);
  const paths = await listFiles(folder.fsPath);
  const { language, ...family } = requireGenerated(file, paths);
  const apis = MODULE_APIS.filter(({ languages }) => languages.includes(language));
  const api = await promptForApi(title, apis);
  const choose = (modelName: string): ModuleChoices => ({ ...family, modelName, api, language });
  const modelName = await promptForText({
    title,
    prompt: vscode.l10n.t(
      'Name of the model. In machine configs, it begins with {0}',
      toDisplayText(`${family.namespace}:${family.moduleName}:`),
    ),
    value: api.key.toLowerCase(),
    validate: (name) => findNameProblem(choose(name.trim()), { manifest: file.text, paths }),
  });
  const choices = choose(modelName.trim());
  const templates = await readTemplates(extensionUri.fsPath, language);
  const [manifest, main] = await Promise.all([
    vscode.workspace.openTextDocument(file.uri),
    vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, getMainFile(language))),
  ]);
  const sources = { manifest: manifest.getText(), main: main.getText(), paths };
  const addition = addModel(choices, templates, sources);
  if (typeof addition === 'string') throw unreadable(addition === 'main' ? main : manifest);
  await apply(addition, { folder, manifest, main });
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, addition.source), {
    preview: false,
  });
  const { model } = describeModel(choices);
  void vscode.window.showInformationMessage(
    language === 'typescript'
      ? vscode.l10n.t(
          'Added the model {0}. "npm test" generates the types of its API and tests it.',
          toDisplayText(model),
        )
      : vscode.l10n.t(
          'Added the model {0}. To test it, run "python -m unittest" in the ".venv" environment.',
          toDisplayText(model),
        ),
  );
}

/** Lists a generated module's files, with `/` as the path separator. */
async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const lists = await Promise.all(
    FOLDERS.map((name) =>
      readdir(join(folder, name), { recursive: true, withFileTypes: true }).catch(() => []),
    ),
  );
  return new Set(
    lists
      .flat()
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/')),
  );
}

function requireGenerated(
  { uri, manifest }: ManifestFile,
  paths: ReadonlySet<string>,
): ModelFamily & { readonly language: ModuleLanguage } {
  const language = findModuleLanguage(paths);
  const family = findModelFamily(manifest);
  if (language && family) return { language, ...family };
  const name = vscode.workspace.asRelativePath(uri);
  throw new FleetError(
    'invalid',
    language
      ? vscode.l10n.t(
          '{0} has no module ID, which is required for the names of models. Enter one.',
          name,
        )
      : vscode.l10n.t(
          'The module of {0} was not created with Create Module Project, so no model was added. Add the model by hand.',
          name,
        ),
  );
}

function findNameProblem(
  choices: ModuleChoices,
  module: { readonly manifest: string; readonly paths: ReadonlySet<string> },
): InputProblem | undefined {
  const problem = moduleNameProblem(choices.modelName, new Set());
  if (problem !== undefined && problem !== 'taken') return toModuleNameProblem(problem);
  switch (findModelConflict(choices, module)) {
    case undefined:
      return undefined;
    case 'modelTaken':
      return inputError(vscode.l10n.t('The module already has a model with this name.'));
    case 'fileTaken':
      return inputError(
        vscode.l10n.t('The module already has the file {0}.', getModelSource(choices)),
      );
  }
}

function unreadable({ uri }: vscode.TextDocument): FleetError {
  return new FleetError(
    'invalid',
    vscode.l10n.t(
      "No model was added because {0} doesn't list models in the same way as a generated module. Add the model by hand.",
      vscode.workspace.asRelativePath(uri),
    ),
  );
}

interface ModuleDocuments {
  readonly folder: vscode.Uri;
  readonly manifest: vscode.TextDocument;
  readonly main: vscode.TextDocument;
}

/** Applies and saves all changes as a single edit, so that one Undo reverts them. */
async function apply(
  { files, manifestEdits, mainEdits }: ModelAddition,
  { folder, manifest, main }: ModuleDocuments,
): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const { path, text } of files) {
    const contents = new TextEncoder().encode(text);
    edit.createFile(vscode.Uri.joinPath(folder, path), { contents });
  }
  addEdits(edit, manifest, manifestEdits);
  addEdits(edit, main, mainEdits);
  await applyEdit(edit, manifest.uri);
  await Promise.all([manifest.save(), main.save()]);
}

function addEdits(
  edit: vscode.WorkspaceEdit,
  document: vscode.TextDocument,
  edits: readonly TextEdit[],
): void {
  for (const { start, end, text } of edits) {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(document.uri, range, text);
  }
}
