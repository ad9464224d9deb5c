import * as vscode from 'vscode';
import {
  MODULE_APIS,
  type ModuleApi,
  type ModuleLanguage,
} from '../../../../core/modules/generate/moduleApi';
import { pickStep } from '../../../platform/prompts/promptSteps';
import { getApiLabels } from './getApiLabels';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TemplateFile } from '../../../../core/modules/generate/moduleFiles';

/** API and language of a generated module. */
export interface ModuleKind {
  readonly api: ModuleApi;
  readonly language: ModuleLanguage;
}

/** Prompts for an API and a language, with a back button. Throws `canceled`. */
export async function pickKind(): Promise<ModuleKind> {
  const title = vscode.l10n.t('Create Module Project');
  let api: ModuleApi | undefined;
  for (;;) {
    api = await promptForApi(title, MODULE_APIS, api);
    const answer = await pickStep(languageItems(api), {
      title,
      placeholder: vscode.l10n.t('Language of the module'),
      back: true,
    });
    if (!answer.back) return { api, language: answer.item.language };
  }
}

/**
 * Prompts for a model's API. Throws `canceled`.
 *
 * @param active preselected API
 */
export async function promptForApi(
  title: string,
  apis: readonly ModuleApi[],
  active?: ModuleApi,
): Promise<ModuleApi> {
  const items = apis.map((api) => ({ ...getApiLabels(api), description: api.triplet, api }));
  const answer = await pickStep(items, {
    title,
    placeholder: vscode.l10n.t('API of the model, which defines how machines use its resources'),
    active: ({ api }) => api === active,
  });
  return answer.back ? promptForApi(title, apis, active) : answer.item.api;
}

function languageItems({ languages }: ModuleApi) {
  const all: readonly (vscode.QuickPickItem & { readonly language: ModuleLanguage })[] = [
    {
      language: 'typescript',
      label: 'TypeScript',
      detail: vscode.l10n.t(
        'One script for all platforms. Install Node.js on the machine or bundle it with the module.',
      ),
    },
    {
      language: 'python',
      label: 'Python',
      detail: vscode.l10n.t(
        'Source files for all platforms. Machines need Python and install the public viam-sdk package.',
      ),
    },
  ];
  return all.filter(({ language }) => languages.includes(language));
}

/** Reads the bundled templates for a language. */
export async function readTemplates(
  extensionFolder: string,
  language: ModuleLanguage,
): Promise<readonly TemplateFile[]> {
  const file = join(extensionFolder, 'dist', 'moduleTemplates', `${language}.json`);
  return JSON.parse(await readFile(file, 'utf8')) as readonly TemplateFile[];
}
