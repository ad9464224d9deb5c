import * as vscode from 'vscode';
import { toDisplayText } from '../../../core/model/toDisplayText';
import type { ModuleModel } from '../../../core/model/registryItem';
import {
  proposedName,
  findApiSection,
  usesModel,
} from '../../../core/modules/deploy/modelResource';
import { pickOne } from '../../platform/prompts';
import { toQuickPickText } from '../../platform/toQuickPickText';

/** Resource to add to a config, and its model. */
export interface NewResource extends Pick<ModuleModel, 'api' | 'model'> {
  readonly name: string;
}

/**
 * Offers to add a resource of one of the module's models, if the config has none. Throws
 * `canceled`.
 * @returns undefined if no resource will be added.
 */
export async function chooseResource(
  models: readonly ModuleModel[],
  configText: string,
  title: string,
): Promise<NewResource | undefined> {
  const usable = models.filter(({ api }) => findApiSection(api) !== undefined);
  if (usable.length === 0 || usable.some((model) => usesModel(configText, model))) return undefined;
  const items = [
    { label: vscode.l10n.t('Module Only'), model: undefined },
    ...usable.map((model) => ({
      label: toQuickPickText(model.model),
      description: toQuickPickText(model.api),
      ...(model.description !== undefined && { detail: toQuickPickText(model.description) }),
      model,
    })),
  ];
  const { model } = await pickOne(items, {
    title,
    placeholder: vscode.l10n.t('Add a component or service that uses one of its models?'),
  });
  if (!model) return undefined;
  const { api, model: triplet } = model;
  return { name: proposedName(configText, toDisplayText(api)), api, model: triplet };
}
